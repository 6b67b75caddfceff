import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { clearMissed, getWebhook, lockWebhook, writeWebhook } from '#shared/data/webhooks/webhooks.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'
import { webhookEvent } from './webhook-event.ts'

/**
 * Sets the count of missed events to 0, for a user who has handled them. Events that are missed from then on are reported again.
 * @throws REQUESTED_ENTITY_NOT_FOUND
 */
export async function clearMissedOf(
  deps: WebhookDeps,
  { principal: { accountId, actor }, webhookId }: { principal: UserPrincipal; webhookId: string },
): Promise<Webhook> {
  const key = { accountId, webhookId }
  const eventId = deps.newId()
  const now = deps.now()
  return announcing(deps).transaction(async (tx) => {
    const before = await lockWebhook(tx, key)
    if (!before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    await writeWebhook(tx, { ...before, updatedAt: laterThan(before, now) })
    await clearMissed(tx, key)
    const webhook = await getWebhook(tx, key)
    await insertEvents(tx, [webhookEvent('webhook-updated', webhook, { id: eventId, actor, now })])
    return webhook
  })
}
