import { createWebhookSecret } from '#shared/crypto/signature.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { lockWebhook, storeWebhookSecret, writeWebhook } from '#shared/data/webhooks/webhooks.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { previousSecretMs } from '#shared/domain/limits.ts'
import type { Webhook } from '#shared/domain/webhook/fields.ts'
import { AppError } from '#shared/errors.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'
import { sealSecret } from './seal-value.ts'
import { webhookEvent } from './webhook-event.ts'

/**
 * Replaces a webhook's signing secret. Waiting deliveries are signed with the new secret; for 24 hours `webhook-signature` also
 * has a signature with the old secret (contract 2.7).
 * @throws REQUESTED_ENTITY_NOT_FOUND, SERVICE_UNAVAILABLE
 */
export async function replaceSecret(
  deps: WebhookDeps,
  { principal: { accountId, actor }, webhookId }: { principal: UserPrincipal; webhookId: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const key = { accountId, webhookId }
  const secret = createWebhookSecret()
  const eventId = deps.newId()
  const now = deps.now()
  const webhook = await announcing(deps).transaction(async (tx) => {
    const before = await lockWebhook(tx, key)
    if (!before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
    const after = { ...before, updatedAt: laterThan(before, now) }
    await writeWebhook(tx, after)
    const sealedSecret = await sealSecret(deps, tx, { ...key, secret })
    await storeWebhookSecret(tx, { ...key, sealedSecret, previousUntil: (await tx.now()) + previousSecretMs })
    await insertEvents(tx, [webhookEvent('webhook-secret-replaced', after, { id: eventId, actor, now })])
    return after
  })
  return { webhook, secret }
}
