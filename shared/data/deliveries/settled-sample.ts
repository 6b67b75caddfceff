import type { AttemptError } from '#shared/domain/webhook/deliveries/delivery.ts'
import { pingType } from '#shared/domain/webhook/deliveries/ping.ts'
import type { Settled } from '#shared/domain/webhook/deliveries/stats.ts'
import { toNumber, toNumberOrNull, toText, toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { readDeliveryIds } from './delivery-reads.ts'

/** The size of the sample for statistics of a webhook: deliveries, and attempts of these. */
export const sampleSize = { deliveries: 1_000, attempts: 10_000 } as const

/** The newest settled deliveries of a webhook, without the pings among them, and the durations of their attempts in milliseconds. */
export async function readSettledSample(
  db: Queries,
  webhookId: string,
): Promise<{ settled: Settled[]; durations: number[] }> {
  const set = { webhookIds: [webhookId], statuses: ['succeeded', 'failed'] as const }
  const newest = { direction: 'desc', from: null, to: null, limit: sampleSize.deliveries, offset: 0 } as const
  const ids = (await readDeliveryIds(db, set, newest)).map(({ id }) => id)
  if (ids.length === 0) return { settled: [], durations: [] }
  const rows =
    await db.all(sql`select status, error, response_status, response_duration_ms as ms, completed_at, attempts
    from deliveries where ${inList('id', ids)} and completed_at is not null
      and event <> ${pingType}`)
  const settled = rows.map((row) => ({
    succeeded: toText(row.status) === 'succeeded',
    error: toTextOrNull(row.error) as AttemptError | null,
    responseStatus: toNumberOrNull(row.response_status),
    completedAt: toNumber(row.completed_at),
  }))
  const last = rows.flatMap(({ ms }) => toNumberOrNull(ms) ?? [])
  const isRetried = rows.some(({ attempts }) => toNumber(attempts) > 1)
  return { settled, durations: [...last, ...(isRetried ? await readEarlier(db, ids) : [])] }
}

/** The attempts before the last ended one, which is in the delivery's row. */
async function readEarlier(db: Queries, ids: readonly string[]): Promise<number[]> {
  const rows =
    await db.all(sql`select a.duration_ms as ms from deliveries d join delivery_attempts a on a.delivery_id = d.id
    where ${inList('d.id', ids)} and a.number < d.attempts and a.duration_ms is not null limit ${sampleSize.attempts}`)
  return rows.map(({ ms }) => toNumber(ms))
}
