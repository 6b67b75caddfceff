import { DUE_FIRST, DUE_NEVER } from '#shared/domain/limits.ts'
import { isPing } from '#shared/domain/webhook/deliveries/ping.ts'
import { toNumber } from '../columns.ts'
import type { Queries, Transaction } from '../database.ts'
import { removeUnusedPayloads } from '../dispatch/outbox/payloads.ts'
import { restartBacklog } from '../held/backlogs.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, throughIndex } from '../sql/statements.ts'
import type { WebhookKey } from './webhooks.ts'

/**
 * Activates a webhook. It receives events of this epoch and later ones, and its counters of failures and missed events restart.
 * Deliveries that waited while it was disabled are due now, oldest first; events held for it follow. Pings stay before them. A queue
 * that a dispatcher still holds stays leased. The caller has locked the webhook.
 */
export async function activateWebhook(
  tx: Transaction,
  { accountId, webhookId, epoch }: WebhookKey & { epoch: number },
): Promise<void> {
  const now = await tx.now()
  const isBehind = await restartBacklog(tx, webhookId)
  await tx.run(
    sql`update webhooks set activated = ${true}, active_epoch = ${epoch}, disabled_at = null, disabled_reason = null
     where id = ${webhookId} and account_id = ${accountId}`,
  )
  await tx.run(
    sql`update webhook_queues set consecutive_failures = 0, missed = 0,
       backlog_full = ${isBehind ? 1 : 0},
       due_at = case when lease_owner is not null then due_at
         when ${isBehind ? 1 : 0} + waiting + pinging > 0 then ${now} else ${DUE_NEVER} end
     where webhook_id = ${webhookId}`,
  )
  await tx.run(
    sql`update deliveries set next_attempt_at = ${now}, updated_at = ${now}
     where webhook_id = ${webhookId} and status = 'pending' and next_attempt_at > ${DUE_FIRST}`,
  )
}

/**
 * Deactivates a webhook: after this commit only pings are claimed for it. The holder of its queue releases the lease when its attempt
 * ends. A free queue gets another fence, and a lease ends a millisecond earlier: so a cycle that has read the queue without locking
 * it notices that it has changed. The caller has locked the webhook.
 */
export async function deactivateWebhook(
  tx: Transaction,
  { accountId, webhookId, reason, now }: WebhookKey & { reason: string; now: number },
): Promise<void> {
  await tx.run(
    sql`update webhooks set activated = ${false}, disabled_at = ${now}, disabled_reason = ${reason}
      where id = ${webhookId} and account_id = ${accountId}`,
  )
  await tx.run(
    sql`update webhook_queues
      set fence = case when lease_owner is null then fence + 1 else fence end,
        due_at = case when lease_owner is not null then due_at - 1 when pinging > 0 then ${DUE_FIRST} else ${DUE_NEVER} end
      where webhook_id = ${webhookId}`,
  )
}

/**
 * Whether a dispatcher may still have an open request to an inactive webhook, because it holds a lease that has not expired.
 * False also when the webhook is gone or was activated again: then there is nothing to wait for.
 */
export async function isWebhookServed(
  db: Queries & { now(): Promise<number> },
  { accountId, webhookId }: WebhookKey,
): Promise<boolean> {
  const row = await db.get(
    sql`select 1 as served from webhook_queues h join webhooks w on w.id = h.webhook_id
     where w.id = ${webhookId} and w.account_id = ${accountId} and w.activated = ${false}
       and h.lease_owner is not null and h.lease_until > ${await db.now()}`,
  )
  return row !== undefined
}

/**
 * Removes some of a webhook's deliveries with their attempts, and the payloads that no other webhook's delivery needs. A holder whose
 * lease has expired can no longer write, because its delivery may be among them. The caller has locked the webhook.
 * @param options.after `next` of the previous call, so that rows it removed are not scanned again; empty: from the beginning
 * @returns how many deliveries were removed; `next`: where to continue; null: no delivery is left
 */
export async function removeDeliveries(
  tx: Transaction,
  { after, limit, ...key }: WebhookKey & { after: string; limit: number },
): Promise<{ removed: number; next: string | null }> {
  const { accountId, webhookId } = key
  const rows = await tx.all<DeliveryRow>(
    sql`select id, event_id, event, status from ${throughIndex('deliveries', 'deliveries_webhook_id_event_id_unique')}
      where webhook_id = ${webhookId} and account_id = ${accountId} and event_id > ${after}
      order by event_id limit ${limit}`,
  )
  if (rows.length > 0) await removeRows(tx, key, rows)
  if (rows.length === limit) return { removed: rows.length, next: rows.at(-1)?.event_id ?? null }
  // Deliveries may have been added meanwhile before those that were removed.
  const isOver = after === '' || (await countDeliveries(tx, webhookId)) === 0
  return { removed: rows.length, next: isOver ? null : '' }
}

/** Counts by the counters of the queue, which the caller has locked: a query for rows would scan all that were removed. */
async function countDeliveries(tx: Transaction, webhookId: string): Promise<number> {
  const row = await tx.get(
    sql`select waiting + pinging + succeeded + failed as deliveries from webhook_queues where webhook_id = ${webhookId}`,
  )
  return toNumber(row?.deliveries ?? 0)
}

type DeliveryRow = { id: string; event_id: string; event: string; status: string }

async function removeRows(
  tx: Transaction,
  { accountId, webhookId }: WebhookKey,
  rows: readonly DeliveryRow[],
): Promise<void> {
  const ids = rows.map(({ id }) => id)
  await tx.run(deleteInList('delivery_attempts', 'delivery_id', ids))
  await tx.run(deleteInList('deliveries', 'id', ids))
  const count = (wanted: string) => rows.filter(({ status }) => status === wanted).length
  const pings = rows.filter((row) => row.status === 'pending' && isPing(row)).length
  await tx.run(
    sql`update webhook_queues set waiting = waiting - ${count('pending') - pings}, pinging = pinging - ${pings},
       succeeded = succeeded - ${count('succeeded')}, failed = failed - ${count('failed')}, fence = fence + 1
     where webhook_id = ${webhookId}`,
  )
  await removeUnusedPayloads(
    tx,
    rows.map(({ event_id }) => ({ eventId: event_id, accountId })),
  )
}
