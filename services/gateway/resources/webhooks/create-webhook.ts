import { makeWebhookSecret } from '#shared/crypto/signature.ts'
import { insertEvents } from '#shared/data/events/events.ts'
import { beginListenerEpoch, getWebhook, insertWebhook, readWebhookCount } from '#shared/data/webhooks/webhooks.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { deactivatedReason, type Webhook, type WebhookBody, webhookFields } from '#shared/domain/webhook/fields.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'
import { resolveWhere } from './resolve-where.ts'
import { sealHeaders, sealSecret } from './seal-value.ts'
import { webhookEvent } from './webhook-event.ts'
import { assertHeadersAllowed, assertListsExist, assertUrlAllowed, assertWithinPlan } from './webhook-rules.ts'

export type NewWebhook = WebhookBody & Required<Pick<WebhookBody, 'url' | 'events'>>

/**
 * Registers a webhook. The secret is in this response, and never again until it is replaced (contract 2.7).
 * @throws VALIDATION_FAILED, INDEX_NOT_USABLE, WEBHOOK_LIMIT_REACHED, WEBHOOK_URL_REFUSED, SERVICE_UNAVAILABLE
 */
export async function createWebhook(
  deps: WebhookDeps,
  { principal, body, requestId }: { principal: UserPrincipal; body: NewWebhook; requestId: string },
): Promise<{ webhook: Webhook; secret: string }> {
  const { accountId, actor } = principal
  const now = deps.now()
  const { headers: named = {}, where = {}, ...fields } = body
  const headers = Object.entries(named)
  assertHeadersAllowed(deps, headers)
  const webhook = newWebhook(fields, { id: deps.newId(), accountId, now, headerNames: Object.keys(named) })
  await assertListsExist(deps, webhook)
  const savedWhere = await resolveWhere(deps, { accountId, where })
  assertWithinPlan(deps, await readWebhookCount(deps.db, accountId))
  await assertUrlAllowed(deps, { accountId, url: body.url, requestId })

  const secret = makeWebhookSecret()
  const eventId = deps.newId()
  return deps.db.transaction(async (tx) => {
    const { epoch, ...usage } = await beginListenerEpoch(tx, accountId)
    assertWithinPlan(deps, usage) // others may have been created while the url was probed
    const key = { accountId, webhookId: webhook.id }
    const sealedSecret = await sealSecret(deps, tx, { ...key, secret })
    const sealedHeaders = await sealHeaders(deps, tx, { ...key, headers })
    await insertWebhook(tx, webhook, { sealedSecret, sealedHeaders, savedWhere, epoch })
    const stored = await getWebhook(tx, key)
    await insertEvents(tx, [webhookEvent('webhook-created', stored, { id: eventId, actor, now })])
    return { webhook: stored, secret }
  })
}

function newWebhook(
  body: Omit<NewWebhook, 'headers' | 'where'>,
  { now, ...own }: { id: string; accountId: string; now: number; headerNames: string[] },
): Webhook {
  const { activated = true, events, listIds = [] } = body
  return {
    ...initialValues(webhookFields),
    ...body,
    ...own,
    createdAt: now,
    updatedAt: now,
    events: [...new Set(events)],
    listIds: [...new Set(listIds)],
    where: {},
    ...(!activated && { disabledAt: now, disabledReason: deactivatedReason }),
  }
}
