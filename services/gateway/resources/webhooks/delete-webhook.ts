import { createPacer } from '#shared/data/background/pacer.ts'
import { timedTransaction } from '#shared/data/background/timed-transaction.ts'
import type { Transaction } from '#shared/data/database.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { deactivateWebhook, isWebhookServed, removeDeliveries } from '#shared/data/webhooks/webhook-activity.ts'
import { findWebhook, lockWebhook, removeWebhook } from '#shared/data/webhooks/webhooks.ts'
import { webhookLosses } from '#shared/domain/use/losses.ts'
import { deactivatedReason } from '#shared/domain/webhook/fields.ts'
import { AppError } from '#shared/errors.ts'
import { dependentWarnings } from '../../auth/dependents.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'
import { webhookEvent } from './webhook-event.ts'
import { waitForWebhookIdle } from './webhook-idle.ts'

/** Deliveries removed in one transaction. */
const stepRows = { first: 50, least: 25, most: 1_000 }

type Deletion = { principal: UserPrincipal; webhookId: string }
type DeletionOrTrial = Deletion & { dryRun: boolean }

/**
 * Deletes a webhook and its deliveries, except in a dry run. After the response, none of its requests is open and none starts
 * (contract 2.7). The webhook is deactivated first, so an interrupted deletion leaves a webhook that gets no requests and can be
 * deleted again.
 * @returns the warnings about its dependents
 * @throws REQUESTED_ENTITY_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function deleteWebhook(deps: WebhookDeps, { dryRun, ...deletion }: DeletionOrTrial): Promise<string[]> {
  const { principal, webhookId } = deletion
  const key = { accountId: principal.accountId, webhookId }
  if (dryRun && !(await findWebhook(deps.db, key))) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const warnings = await dependentWarnings(deps.db, principal, webhookLosses(webhookId, null))
  if (!dryRun) await deleteWhole(deps, deletion)
  return warnings
}

async function deleteWhole(deps: WebhookDeps, deletion: Deletion): Promise<void> {
  const key = { accountId: deletion.principal.accountId, webhookId: deletion.webhookId }
  const found = await deps.db.transaction((tx) => deactivate(tx, deletion, deps.now()))
  if (!found) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  const eventId = deps.newId()
  const pacer = createPacer(deps.db, stepRows)
  for (let after = ''; ; ) {
    await waitForWebhookIdle(deps, key)
    const { result: step, took } = await timedTransaction(announcing(deps), (tx) =>
      removeStep(tx, deletion, { after, limit: pacer.size(), eventId, now: deps.now() }),
    )
    if (step === 'done') return
    // The webhook was activated in the meantime and must be deactivated again.
    if (step === 'active') await deps.db.transaction((tx) => deactivate(tx, deletion, deps.now()))
    const { removed: rows, next } = typeof step === 'string' ? { removed: 0, next: '' } : step
    after = next
    await pacer.rest({ rows, took })
  }
}

async function deactivate(tx: Transaction, { principal, webhookId }: Deletion, now: number): Promise<boolean> {
  const key = { accountId: principal.accountId, webhookId }
  const webhook = await lockWebhook(tx, key)
  if (webhook?.activated) await deactivateWebhook(tx, { ...key, reason: deactivatedReason, now })
  return webhook !== null
}

/** Removes some deliveries and, after the last, the webhook; removes nothing while the webhook is active or a request may be open. */
async function removeStep(
  tx: Transaction,
  { principal: { accountId, actor }, webhookId }: Deletion,
  { eventId, now, ...which }: { after: string; limit: number; eventId: string; now: number },
): Promise<{ removed: number; next: string } | 'served' | 'active' | 'done'> {
  const key = { accountId, webhookId }
  const webhook = await lockWebhook(tx, key)
  if (!webhook) return 'done'
  if (webhook.activated) return 'active'
  if (await isWebhookServed(tx, key)) return 'served'
  const { removed, next } = await removeDeliveries(tx, { ...key, ...which })
  if (next !== null) return { removed, next }
  await removeWebhook(tx, key)
  await insertEvents(tx, [webhookEvent('webhook-deleted', webhook, { id: eventId, actor, now })])
  return 'done'
}
