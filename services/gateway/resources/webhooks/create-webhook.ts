import { makeWebhookSecret } from '#shared/crypto/signature.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { beginListenerEpoch, insertWebhook, readWebhookCount } from '#shared/data/webhooks/webhooks.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { deactivatedReason, type Webhook, type WebhookBody, webhookFields } from '#shared/domain/webhook/fields.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'
import { sealSecret } from './seal-secret.ts'
import { webhookEvent } from './webhook-event.ts'
import { assertListsExist, assertUrlAllowed, assertWithinPlan } from './webhook-rules.ts'

export type NewWebhook = WebhookBody & Required<Pick<WebhookBody, 'url' | 'events'>>

/**
 * Registers a webhook. The secret is in this response, and never again until it is replaced (contract 2.7).
 * @throws VALIDATION_FAILED, WEBHOOK_LIMIT_REACHED, WEBHOOK_URL_REFUSED, SERVICE_UNAVAILABLE
 */
export async function createWebhook(
  deps: WebhookDeps,
  { principal, body, requestId }: { principal: UserPrincipal; body: NewWebhook; requestId: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const { accountId, actor } = principal
  const now = deps.now()
  const webhook = newWebhook(body, { id: deps.newId(), accountId, now })
  await assertListsExist(deps, webhook)
  assertWithinPlan(deps, await readWebhookCount(deps.db, accountId))
  await assertUrlAllowed(deps, { accountId, url: body.url, requestId })

  const secret = makeWebhookSecret()
  const event = webhookEvent('webhook-created', webhook, { id: deps.newId(), actor, now })
  await deps.db.transaction(async (tx) => {
    const { epoch, ...usage } = await beginListenerEpoch(tx, accountId)
    assertWithinPlan(deps, usage) // others may have been created while the url was probed
    const sealedSecret = await sealSecret(deps, tx, { accountId, webhookId: webhook.id, secret })
    await insertWebhook(tx, webhook, { sealedSecret, epoch })
    await insertEvents(tx, [event])
  })
  return { webhook, secret }
}

function newWebhook(body: NewWebhook, { id, accountId, now }: { id: string; accountId: string; now: number }): Webhook {
  const { activated = true, events, listIds = [] } = body
  return {
    ...initialValues(webhookFields),
    ...body,
    id,
    accountId,
    createdAt: now,
    updatedAt: now,
    events: [...new Set(events)],
    listIds: [...new Set(listIds)],
    ...(!activated && { disabledAt: now, disabledReason: deactivatedReason }),
  }
}
