import { firstIdAt } from '#shared/domain/id.ts'
import type { AttemptError } from '#shared/domain/webhook/deliveries/delivery.ts'
import { pingType } from '#shared/domain/webhook/deliveries/ping.ts'
import type { Settled } from '#shared/domain/webhook/deliveries/stats.ts'
import { toNumber, toNumberOrNull, toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import { countHours } from '../pages/hours.ts'
import { sql } from '../sql/sql.ts'
import { inList, throughIndex } from '../sql/statements.ts'
import { readDeliveryIds } from './delivery-reads.ts'

/**
 * The number of deliveries of webhooks that have this status now, by hour of creation, without pings.
 * @param hours their starts in epoch milliseconds
 */
export async function countDelivered(
  db: Queries,
  { webhookIds, status }: { webhookIds: readonly string[]; status: 'succeeded' | 'failed' },
  hours: readonly number[],
): Promise<number[]> {
  if (webhookIds.length === 0) return hours.map(() => 0)
  const table = throughIndex('deliveries', 'deliveries_webhook_id_status_next_attempt_at_id_event_index')
  return countHours(
    db,
    hours,
    (from, before) => sql`from ${table} where ${inList('webhook_id', webhookIds)} and status = ${status}
      and next_attempt_at is null and id > ${firstIdAt(from)} and id < ${firstIdAt(before)} and event <> ${pingType}`,
  )
}

/** Maximum failures whose causes are counted. */
const mostFailures = 1_000

/** The newest deliveries of webhooks that have failed for good, without pings. @param since their earliest creation in epoch milliseconds */
export async function readFailures(db: Queries, webhookIds: readonly string[], since: number): Promise<Settled[]> {
  const set = { webhookIds, statuses: ['failed'] as const, startAt: since }
  const newest = { direction: 'desc', from: null, to: null, limit: mostFailures, offset: 0 } as const
  const ids = (await readDeliveryIds(db, set, newest)).map(({ id }) => id)
  if (ids.length === 0) return []
  const rows = await db.all(sql`select error, response_status, completed_at from deliveries
    where ${inList('id', ids)} and completed_at is not null and event <> ${pingType}`)
  return rows.map((row) => ({
    succeeded: false,
    error: toTextOrNull(row.error) as AttemptError | null,
    responseStatus: toNumberOrNull(row.response_status),
    completedAt: toNumber(row.completed_at),
  }))
}
