import { firstIdAt } from '#shared/domain/id.ts'
import { DUE_NEVER } from '#shared/domain/limits.ts'
import type { Delivery } from '#shared/domain/webhook/delivery.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import { pingType } from '#shared/domain/webhook/ping.ts'
import type { Queries, Transaction } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { sql } from '../sql/sql.ts'
import { inList, unionAllOrdered } from '../sql/statements.ts'
import { readDeliveryIds, settledIds } from './delivery-ranges.ts'

/**
 * Makes settled deliveries of one webhook pending again, due now, with a new series of attempts. Their ids, payloads and
 * total attempts stay. Those of a disabled webhook wait for its activation. The caller has locked the webhook.
 */
export async function requeueDeliveries(
  tx: Transaction,
  webhook: Pick<Webhook, 'id' | 'activated'>,
  deliveries: readonly Pick<Delivery, 'id' | 'status'>[],
): Promise<void> {
  if (deliveries.length === 0) return
  const now = await tx.now()
  const ids = deliveries.map(({ id }) => id)
  await tx.run(
    sql`update deliveries set status = 'pending', series_attempts = 0, next_attempt_at = ${now}, completed_at = null,
      updated_at = ${now} where ${inList('id', ids)}`,
  )
  const failed = deliveries.filter(({ status }) => status === 'failed').length
  const succeeded = deliveries.length - failed
  const due = webhook.activated ? now : DUE_NEVER
  await tx.run(
    sql`update webhook_queues set waiting = waiting + ${deliveries.length}, succeeded = succeeded - ${succeeded},
      failed = failed - ${failed},
      due_at = case when lease_owner is null and due_at > ${due} then ${due} else due_at end
      where webhook_id = ${webhook.id}`,
  )
}

/** Failed deliveries except pings, in the order of their ids, which is the order of creation. */
export type FailedRange = {
  webhookId: string
  /** The earliest creation, in epoch milliseconds. */
  since: number
  /** The id after which the range begins; '': from the beginning. */
  after: string
  /** The last id of the range. */
  upTo: string
}

export async function readFailed(db: Queries, range: FailedRange, limit: number): Promise<string[]> {
  const ids = settledIds(sql`select id ${inRange(range)}`, { direction: 'asc', limit })
  const rows = await db.all<{ id: string }>(unionAllOrdered([ids], { order: 'id', limit, offset: 0 }))
  return rows.map(({ id }) => id)
}

export async function countFailed(db: Queries, range: FailedRange): Promise<number> {
  return (await db.get<{ n: number }>(sql`select count(*) as n ${inRange(range)}`))?.n ?? 0
}

/** The newest failed delivery of a webhook; '' when it has none. */
export async function lastFailedId(db: Queries, webhookId: string): Promise<string> {
  const newest = { direction: 'desc', from: null, limit: 1, offset: 0 } as const
  const [id = ''] = await readDeliveryIds(db, { webhookId, status: 'failed' }, newest)
  return id
}

function inRange({ webhookId, since, after, upTo }: FailedRange): Sql {
  const first = firstIdAt(since)
  return sql`from deliveries where webhook_id = ${webhookId} and status = 'failed' and next_attempt_at is null
    and id > ${after > first ? after : first} and id <= ${upTo} and event <> ${pingType}`
}
