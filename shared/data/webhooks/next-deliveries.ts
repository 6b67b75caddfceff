import { FIRST } from '#shared/domain/limits.ts'
import type { Transaction } from './database.ts'
import { jsonRows } from './json-rows.ts'
import { removePings } from './pings.ts'

/** The row of a delivery that is to be sent next, with what of its webhook and head is needed to send it. */
export type NextDelivery = {
  webhook_id: string
  account_id: string
  fence: number
  lane: number
  url: string
  secret: string
  previous_secret: string | null
  previous_secret_until: number | null
  id: string
  event_id: string
  event: string
  request_id: string
  attempts: number
  series_attempts: number
  expires_at: number | null
  waiting: number
  body: string
}

/**
 * The first due delivery of each head: one look-up in the index per webhook, however many wait. Of a disabled webhook
 * only pings are. A ping that nobody waits for any more is removed instead, and its head gets nothing this time.
 */
export async function readNext(tx: Transaction, webhookIds: readonly string[]): Promise<NextDelivery[]> {
  const now = await tx.now()
  const rows = await tx.all<NextDelivery>(
    `select h.webhook_id, w.account_id, h.fence, h.lane, w.url, w.secret, w.previous_secret, w.previous_secret_until,
       d.id, d.event_id, d.event, d.request_id, d.attempts, d.series_attempts, d.expires_at, h.waiting, p.body
     from ${jsonRows(['id'])} join webhook_heads h on h.webhook_id = given.id
     join webhooks w on w.id = h.webhook_id
     join deliveries d on d.id = (select n.id from deliveries n
       where n.webhook_id = h.webhook_id and n.status = 'pending'
         and n.next_attempt_at <= case when w.activated = 1 then ? else ${FIRST} end
       order by n.next_attempt_at, n.id limit 1)
     join event_payloads p on p.event_id = d.event_id`,
    [JSON.stringify(webhookIds.map((id) => [id])), now],
  )
  const expired = rows.filter(({ expires_at }) => expires_at !== null && expires_at <= now)
  if (expired.length === 0) return rows
  await removePings(
    tx,
    expired.map((row) => ({ id: row.id, webhookId: row.webhook_id, eventId: row.event_id })),
  )
  return rows.filter((row) => !expired.includes(row))
}
