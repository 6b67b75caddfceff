import { setTimeout as pause } from 'node:timers/promises'
import type { Transaction } from '#shared/data/database.ts'
import {
  countFailed,
  type FailedRange,
  lastFailedId,
  readFailed,
  requeueDeliveries,
} from '#shared/data/deliveries/redeliveries.ts'
import { findWebhook, lockWebhook, type WebhookKey } from '#shared/data/webhooks/webhooks.ts'
import { AppError } from '#shared/errors.ts'
import type { DeliveryDeps } from './context.ts'

/** Deliveries queued in one transaction, so that other writers do not wait long. */
const batchRows = 200

/**
 * Queues the failed deliveries of a webhook that were created at `since` or later, the oldest first, until its queue is full.
 * Pages by id, and ends with the last delivery that had failed at the start: none is left out or queued twice.
 * @param since epoch milliseconds
 * @returns how many were queued, and how many were not because the backlog is full
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export async function redeliverFailed(
  deps: DeliveryDeps,
  { since, ...key }: WebhookKey & { since: number },
): Promise<{ queued: number; skipped: number }> {
  if (!(await findWebhook(deps.db, key))) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const { webhookId } = key
  const upTo = await lastFailedId(deps.db, webhookId)
  let queued = 0
  let range: FailedRange = { webhookId, since, after: '', upTo }
  for (;;) {
    const batch = await deps.db.transaction((tx) =>
      queueBatch(tx, { key, range, maxWaiting: deps.config.webhooks.maxWaiting }),
    )
    if (batch.ids.length > 0) deps.bus.broadcast('dispatcher.wake', { webhookId })
    queued += batch.ids.length
    range = { ...range, after: batch.ids.at(-1) ?? range.after }
    if (batch.end) return { queued, skipped: await countFailed(deps.db, range) }
    await pause(1) // other processes get the write lock in between
  }
}

async function queueBatch(
  tx: Transaction,
  { key, range, maxWaiting }: { key: WebhookKey; range: FailedRange; maxWaiting: number },
): Promise<{ ids: string[]; end: boolean }> {
  const webhook = await lockWebhook(tx, key)
  if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const room = Math.max(0, maxWaiting - webhook.waitingCount)
  const limit = Math.min(batchRows, room)
  const ids = await readFailed(tx, range, limit)
  await requeueDeliveries(
    tx,
    webhook,
    ids.map((id) => ({ id, status: 'failed' })),
  )
  return { ids, end: ids.length < batchRows }
}
