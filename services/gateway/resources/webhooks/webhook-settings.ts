import { createWebhookSecret } from '#shared/crypto/signature.ts'
import type { Transaction } from '#shared/data/database.ts'
import { announcing, insertEvents } from '#shared/data/events/events.ts'
import { activateWebhook, deactivateWebhook } from '#shared/data/webhooks/webhook-activity.ts'
import {
  beginListenerEpoch,
  findWebhook,
  getWebhook,
  insertWebhook,
  lockWebhook,
  readSavedWhere,
  readWebhookCount,
  storeWebhookFilters,
  storeWebhookHeaders,
  type WebhookKey,
  writeWebhook,
} from '#shared/data/webhooks/webhooks.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { webhookLosses } from '#shared/domain/use/losses.ts'
import type { FixedHeaders } from '#shared/domain/webhook/deliveries/headers.ts'
import { deactivatedReason, type Webhook, type WebhookBody, webhookFields } from '#shared/domain/webhook/fields.ts'
import type { SavedWhere } from '#shared/domain/webhook/where.ts'
import { AppError } from '#shared/errors.ts'
import { dependentWarnings } from '../../auth/dependents.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { WebhookDeps } from './context.ts'
import { resolveWhere } from './resolve-where.ts'
import { sealHeaders, sealSecret } from './seal-value.ts'
import { webhookEvent } from './webhook-event.ts'
import { waitForWebhookIdle } from './webhook-idle.ts'
import { assertHeadersAllowed, assertListsExist, assertUrlAllowed, assertWithinPlan } from './webhook-rules.ts'

export type NewWebhook = WebhookBody & Required<Pick<WebhookBody, 'url' | 'events'>>

/**
 * Registers a webhook. The secret is in this response and cannot be read again, only replaced (contract 2.7).
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

  const secret = createWebhookSecret()
  const eventId = deps.newId()
  return announcing(deps).transaction(async (tx) => {
    const { epoch, ...usage } = await beginListenerEpoch(tx, accountId)
    assertWithinPlan(deps, usage) // others may have been created while the URL was probed
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

type Update = { principal: UserPrincipal; webhookId: string; body: WebhookBody; requestId: string }

/**
 * Changes a webhook. After the response to a deactivation, none of its requests is open and none starts; an activation makes
 * all waiting deliveries due now (contract 2.7).
 * @returns the webhook, and the warnings about its dependents if it was deactivated
 * @throws REQUESTED_ENTITY_NOT_FOUND, VALIDATION_FAILED, INDEX_NOT_USABLE, WEBHOOK_URL_REFUSED, SERVICE_UNAVAILABLE
 */
export async function updateWebhook(
  deps: WebhookDeps,
  update: Update,
): Promise<{ webhook: Webhook; warnings: string[] }> {
  const { principal, webhookId, body, requestId } = update
  const { accountId } = principal
  const key = { accountId, webhookId }
  if (body.headers) assertHeadersAllowed(deps, Object.entries(body.headers))
  const current = await findWebhook(deps.db, key)
  if (!current) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  if (body.listIds) {
    await assertListsExist(deps, { accountId, listIds: body.listIds, known: current.listIds })
  }
  if (body.url !== undefined && body.url !== current.url) {
    await assertUrlAllowed(deps, { accountId, url: body.url, requestId })
  }

  const saved = body.where
    ? await resolveWhere(deps, { accountId, where: body.where, saved: await readSavedWhere(deps.db, key) })
    : null

  const losses = current.activated && body.activated === false ? webhookLosses(webhookId, { activated: false }) : []
  const warnings = await dependentWarnings(deps.db, principal, losses)
  const eventId = deps.newId()
  const { webhook, wasActive } = await announcing(deps).transaction((tx) =>
    write(tx, update, { ...deps, saved, eventId, now: deps.now() }),
  )
  if (webhook.activated && !wasActive) deps.bus.broadcast('dispatcher.wake', { webhookId })
  if (!webhook.activated && body.activated === false) await waitForWebhookIdle(deps, key)
  return { webhook, warnings }
}

type WriteDeps = Pick<WebhookDeps, 'sealer' | 'log'> & { saved: SavedWhere | null; eventId: string; now: number }

async function write(
  tx: Transaction,
  { principal: { accountId, actor }, webhookId, body }: Update,
  { saved, eventId, now, ...deps }: WriteDeps,
): Promise<{ webhook: Webhook; wasActive: boolean }> {
  const key = { accountId, webhookId }
  // The account's row is locked before the webhook's, as everywhere that locks both.
  const { epoch } = await beginListenerEpoch(tx, accountId)
  const before = await lockWebhook(tx, key)
  if (!before) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  await writeWebhook(tx, withSettings(before, body, now))
  if (body.headers) await replaceHeaders(deps, tx, { ...key, headers: Object.entries(body.headers) })
  if (saved) await storeWebhookFilters(tx, { ...key, saved })
  if (body.activated === true && !before.activated) await activateWebhook(tx, { ...key, epoch })
  if (body.activated === false && before.activated) {
    await deactivateWebhook(tx, { ...key, reason: deactivatedReason, now })
  }
  const webhook = await getWebhook(tx, key)
  await insertEvents(tx, [webhookEvent('webhook-updated', webhook, { id: eventId, actor, now })])
  return { webhook, wasActive: before.activated }
}

async function replaceHeaders(
  deps: Pick<WebhookDeps, 'sealer' | 'log'>,
  tx: Transaction,
  { headers, ...key }: WebhookKey & { headers: FixedHeaders },
): Promise<void> {
  const sealedHeaders = await sealHeaders(deps, tx, { ...key, headers })
  await storeWebhookHeaders(tx, { ...key, sealedHeaders, names: headers.map(([name]) => name) })
}

/** The webhook with its new settings, except those that are written separately: `activated`, `headers` and `where`. */
function withSettings(
  before: Webhook,
  { activated: _transition, headers: _sealed, where: _resolved, ...settings }: WebhookBody,
  now: number,
): Webhook {
  const { events = before.events, listIds = before.listIds } = settings
  return {
    ...before,
    ...settings,
    updatedAt: laterThan(before, now),
    events: [...new Set(events)],
    listIds: [...new Set(listIds)],
  }
}
