import { firstIdAt } from '#shared/domain/id.ts'
import type { Delivery } from '#shared/domain/webhook/delivery.ts'
import { pingType } from '#shared/domain/webhook/ping.ts'
import type { Webhook } from '#shared/domain/webhook/webhook.ts'
import type { Queries, Transaction } from './database.ts'
import { jsonRows } from './json-rows.ts'

/**
 * Takes settled deliveries of one webhook back to pending, due now, with a fresh series of attempts. Ids, bytes and the
 * number of all attempts stay. A disabled webhook's wait for its activation. The caller has locked the webhook.
 */
export async function requeueDeliveries(
  tx: Transaction,
  webhook: Pick<Webhook, 'id' | 'activated'>,
  deliveries: readonly Pick<Delivery, 'id' | 'status'>[],
): Promise<void> {
  if (deliveries.length === 0) return
  const now = await tx.now()
  await tx.run(
    `update deliveries set status = 'pending', series_attempts = 0, next_attempt_at = ?, completed_at = null, updated_at = ?
     where id in (select id from ${jsonRows(['id'])})`,
    [now, now, JSON.stringify(deliveries.map(({ id }) => [id]))],
  )
  const failed = deliveries.filter(({ status }) => status === 'failed').length
  await tx.run(
    `update webhook_heads set waiting = waiting + ?, succeeded = succeeded - ?, failed = failed - ?
     where webhook_id = ?`,
    [deliveries.length, deliveries.length - failed, failed, webhook.id],
  )
  if (!webhook.activated) return
  await tx.run('update webhook_heads set due_at = ? where webhook_id = ? and lease_owner is null and due_at > ?', [
    ...[now, webhook.id, now],
  ])
}

/** Failed deliveries in the order of their ids, which is that of their creation. Pings are not among them. */
export type FailedRange = {
  webhookId: string
  /** Epoch milliseconds of the earliest creation. */
  since: number
  /** The id behind which to begin; '' for the first. */
  behind: string
  /** The last id that counts. */
  upTo: string
}

const inRange = `from deliveries where webhook_id = ? and status = 'failed' and next_attempt_at is null
  and id > ? and id <= ? and event <> ?`

const bounds = ({ webhookId, since, behind, upTo }: FailedRange) => {
  const first = firstIdAt(since)
  return [webhookId, behind > first ? behind : first, upTo, pingType]
}

export async function readFailed(db: Queries, range: FailedRange, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(`select id ${inRange} order by id limit ?`, [...bounds(range), limit])
  return rows.map(({ id }) => id)
}

export async function countFailed(db: Queries, range: FailedRange): Promise<number> {
  return (await db.get<{ n: number }>(`select count(*) as n ${inRange}`, bounds(range)))?.n ?? 0
}

/** The newest failed delivery of a webhook; '' when it has none. */
export async function lastFailedId(db: Queries, webhookId: string): Promise<string> {
  const row = await db.get<{ id: string }>(
    `select id from deliveries where webhook_id = ? and status = 'failed' and next_attempt_at is null
     order by id desc limit 1`,
    [webhookId],
  )
  return row?.id ?? ''
}
