import { timeOfId } from '#shared/domain/id.ts'
import { FIRST, maxWaitingPings } from '#shared/domain/limits.ts'
import { pingType } from '#shared/domain/webhook/ping.ts'
import type { Transaction } from './database.ts'
import { insertRows } from './insert-rows.ts'
import { jsonRows } from './json-rows.ts'
import { removePayloads } from './outbox.ts'
import type { WebhookKey } from './webhooks.ts'

export type NewPing = WebhookKey & {
  deliveryId: string
  eventId: string
  requestId: string
  body: string
  /** For how long somebody waits for it; later it is not sent. */
  patienceMs: number
}

/**
 * A ping that is due before everything else of its webhook, also of a disabled one. `waiting` does not count it.
 * The caller has locked the webhook.
 * @returns false: as many pings as may already wait
 */
export async function insertPing(tx: Transaction, ping: NewPing): Promise<boolean> {
  const { accountId, webhookId, deliveryId, eventId, requestId, body, patienceMs } = ping
  const counted = await tx.run(
    `update webhook_heads set pinging = pinging + 1, due_at = case when lease_owner is null then ? else due_at end
     where webhook_id = ? and pinging < ?`,
    [FIRST, webhookId, maxWaitingPings],
  )
  if (counted === 0) return false
  const createdAt = timeOfId(deliveryId)
  const columns = [
    ...['id', 'account_id', 'webhook_id', 'event_id', 'event', 'request_id', 'created_at', 'updated_at', 'status'],
    ...['next_attempt_at', 'expires_at'],
  ]
  const row = [
    ...[deliveryId, accountId, webhookId, eventId, pingType, requestId, createdAt, createdAt, 'pending'],
    ...[FIRST, (await tx.now()) + patienceMs],
  ]
  await insertRows(tx, 'deliveries', columns, [row])
  await insertRows(tx, 'event_payloads', ['event_id', 'body'], [[eventId, body]])
  return true
}

type PingKey = { id: string; webhookId: string; eventId: string }

/** Takes back a ping whose attempt has not begun. @returns whether it was there and had not begun */
export async function withdrawPing(
  tx: Transaction,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
) {
  const row = await tx.get<{ event_id: string }>(
    "select event_id from deliveries where id = ? and webhook_id = ? and status = 'pending' and attempts = 0",
    [deliveryId, webhookId],
  )
  if (row) await removePings(tx, [{ id: deliveryId, webhookId, eventId: row.event_id }])
  return row !== undefined
}

/** Removes pings that were never sent, one of each webhook. */
export async function removePings(tx: Transaction, pings: readonly PingKey[]): Promise<void> {
  const rows = JSON.stringify(pings.map(({ id, webhookId }) => [id, webhookId]))
  const given = jsonRows(['id', 'webhook_id'])
  await tx.run(`delete from deliveries where id in (select id from ${given})`, [rows])
  await tx.run(`update webhook_heads set pinging = pinging - 1 where webhook_id in (select webhook_id from ${given})`, [
    rows,
  ])
  await removePayloads(
    tx,
    pings.map(({ eventId }) => eventId),
  )
}

/** Pings among these deliveries, at most one of each webhook, had their one attempt broken off: they have failed. */
export async function failInterruptedPings(tx: Transaction, deliveryIds: readonly string[]): Promise<void> {
  const pings = await tx.all<{ id: string; webhook_id: string }>(
    `select id, webhook_id from deliveries where status = 'pending' and event = ?
     and id in (select id from ${jsonRows(['id'])})`,
    [pingType, JSON.stringify(deliveryIds.map((id) => [id]))],
  )
  if (pings.length === 0) return
  const now = await tx.now()
  const rows = JSON.stringify(pings.map(({ id, webhook_id }) => [id, webhook_id]))
  const given = jsonRows(['id', 'webhook_id'])
  await tx.run(
    `update deliveries set status = 'failed', next_attempt_at = null, completed_at = ?, updated_at = ?
     where id in (select id from ${given})`,
    [now, now, rows],
  )
  await tx.run(
    `update webhook_heads set failed = failed + 1, pinging = pinging - 1
     where webhook_id in (select webhook_id from ${given})`,
    [rows],
  )
}
