import { timeOfId } from '#shared/domain/id.ts'
import { DUE_FIRST, maxWaitingPings } from '#shared/domain/limits.ts'
import { pingType } from '#shared/domain/webhook/deliveries/ping.ts'
import type { Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, inList } from '../sql/statements.ts'
import { insertPayloads, removePayloads } from './outbox/payloads.ts'
import { lockQueues } from './queue-state.ts'

type NewPing = {
  accountId: string
  webhookId: string
  deliveryId: string
  eventId: string
  requestId: string
  body: string
  /** How long the client waits for it; after that it is not sent. */
  timeoutMs: number
}

/**
 * Inserts a ping, which is due before all deliveries of its webhook, even of a disabled one. The queue counts it in
 * `pinging`, not in `waiting`. The caller has locked the webhook.
 * @returns false when the webhook has too many waiting pings
 */
export async function insertPing(tx: Transaction, ping: NewPing): Promise<boolean> {
  const { webhookId, eventId, body, timeoutMs } = ping
  const counted = await tx.run(
    sql`update webhook_queues set pinging = pinging + 1, due_at = case when lease_owner is null then ${DUE_FIRST} else due_at end
      where webhook_id = ${webhookId} and pinging < ${maxWaitingPings}`,
  )
  if (counted === 0) return false
  const expiresAt = (await tx.now()) + timeoutMs
  await insertRows(tx, pingRows([{ ...ping, expiresAt }]))
  await insertPayloads(tx, [{ eventId, body }])
  return true
}

const pingRows = rowMapper<NewPing & { expiresAt: number }>('deliveries', {
  id: (ping) => ping.deliveryId,
  account_id: (ping) => ping.accountId,
  webhook_id: (ping) => ping.webhookId,
  event_id: (ping) => ping.eventId,
  event: () => pingType,
  request_id: (ping) => ping.requestId,
  created_at: (ping) => timeOfId(ping.deliveryId),
  updated_at: (ping) => timeOfId(ping.deliveryId),
  status: () => 'pending',
  next_attempt_at: () => DUE_FIRST,
  expires_at: (ping) => ping.expiresAt,
})

type PingKey = { id: string; webhookId: string; eventId: string }

/** Removes a ping whose attempt has not started. @returns whether there was such a ping */
export async function withdrawPing(
  tx: Transaction,
  { webhookId, deliveryId }: { webhookId: string; deliveryId: string },
) {
  const queue = (await lockQueues(tx, [webhookId])).get(webhookId) // no dispatcher starts it from here on
  if (queue?.attemptDeliveryId === deliveryId) return false
  const row = await tx.get<{ event_id: string }>(
    sql`select event_id from deliveries
      where id = ${deliveryId} and webhook_id = ${webhookId} and status = 'pending' and attempts = 0`,
  )
  if (row) await removePings(tx, [{ id: deliveryId, webhookId, eventId: row.event_id }])
  return row !== undefined
}

/** Removes pings that were never sent, one of each webhook; the caller has locked the queues. */
export async function removePings(tx: Transaction, pings: readonly PingKey[]): Promise<void> {
  const ids = pings.map(({ id }) => id)
  const webhookIds = pings.map(({ webhookId }) => webhookId)
  await tx.run(deleteInList('deliveries', 'id', ids))
  await tx.run(sql`update webhook_queues set pinging = pinging - 1 where ${inList('webhook_id', webhookIds)}`)
  await removePayloads(
    tx,
    pings.map(({ eventId }) => eventId),
  )
}

/** Marks pings among these deliveries, at most one of each webhook, as failed: their only attempt was interrupted. */
export async function failInterruptedPings(tx: Transaction, deliveryIds: readonly string[]): Promise<void> {
  const pings = await tx.all<{ id: string; webhook_id: string }>(
    sql`select id, webhook_id from deliveries
      where ${inList('id', deliveryIds)} and status = 'pending' and event = ${pingType}`,
  )
  if (pings.length === 0) return
  const now = await tx.now()
  const ids = pings.map(({ id }) => id)
  const webhookIds = pings.map(({ webhook_id }) => webhook_id)
  await tx.run(
    sql`update deliveries set status = 'failed', next_attempt_at = null, completed_at = ${now}, updated_at = ${now}
      where ${inList('id', ids)}`,
  )
  await tx.run(
    sql`update webhook_queues set failed = failed + 1, pinging = pinging - 1 where ${inList('webhook_id', webhookIds)}`,
  )
}
