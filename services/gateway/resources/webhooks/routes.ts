import { webhookOrders } from '#shared/data/webhooks/columns.ts'
import { findWebhook } from '#shared/data/webhooks/webhooks.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { toWebhookJson, webhookFields } from '#shared/domain/webhook/fields.ts'
import { AppError } from '#shared/errors.ts'
import { getIdParam } from '../../request/id-param.ts'
import { created, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { parsePage, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import { deletionAnswer, deletionQuery, deletionResponse } from '../../schemas/warnings.ts'
import { clearMissedOf } from './clear-missed.ts'
import type { WebhookDeps } from './context.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { listWebhooks } from './list-webhooks.ts'
import { replaceSecret } from './replace-secret.ts'
import {
  createWebhookBody,
  listWebhooksQuery,
  updateWebhookBody,
  webhookSchema,
  webhookWithSecretSchema,
  writtenWebhookSchema,
} from './schemas.ts'
import { webhookKey } from './webhook-key.ts'
import { createWebhook, updateWebhook } from './webhook-settings.ts'

/** Webhooks, in user mode only (contract 2.7). */
export const webhookRoutes: readonly Route<WebhookDeps>[] = [
  route({
    method: 'POST',
    path: '/webhooks',
    operationId: 'createWebhook',
    about: 'Registers a webhook; the response has its signing secret.',
    notes:
      'The URL must resolve to a public address and answer with a valid certificate. Keep the secret: no other answer has it.',
    response: { 201: webhookWithSecretSchema },
    errors: ['INDEX_NOT_USABLE', 'WEBHOOK_LIMIT_REACHED', 'WEBHOOK_URL_REFUSED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: createWebhookBody },
    async handle({ id, principal, body }, deps) {
      const { webhook, secret } = await createWebhook(deps, { principal, body, requestId: id })
      return created({ ...toWebhookJson(webhook), secret })
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks',
    operationId: 'listWebhooks',
    about: 'A page of webhooks.',
    notes: 'The signing secrets are never included.',
    response: { 200: pageOf(webhookSchema) },
    permission: 'user',
    query: listWebhooksQuery,
    async handle({ principal, query }, deps) {
      const page = await listWebhooks(deps, { principal, ...parsePage(query, webhookOrders, webhookFields) })
      return ok(toPageJson(page, toWebhookJson))
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/{webhook}',
    operationId: 'getWebhook',
    about: 'A webhook.',
    notes: 'Its counters show the events that wait, are held or were missed, and the failures in a row.',
    response: { 200: webhookSchema },
    etag: true,
    permission: 'user',
    async handle(request, deps) {
      const webhook = await findWebhook(deps.db, webhookKey(request))
      if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
      return ok(toWebhookJson(webhook))
    },
  }),
  route({
    method: 'PUT',
    path: '/webhooks/{webhook}',
    operationId: 'updateWebhook',
    about: 'Changes the fields of a webhook that the body names.',
    notes:
      'The activation of a disabled webhook resets its counts of failures and missed events, and sends the waiting deliveries, oldest first, then the held events.',
    response: { 200: writtenWebhookSchema },
    errors: ['INDEX_NOT_USABLE', 'WEBHOOK_URL_REFUSED'],
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateWebhookBody },
    async handle({ id, principal, params, body }, deps) {
      const update = { principal, webhookId: getIdParam(params.webhook), body, requestId: id }
      const { webhook, warnings } = await updateWebhook(deps, update)
      return ok({ ...toWebhookJson(webhook), ...(warnings.length > 0 && { warnings }) })
    },
  }),
  route({
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    operationId: 'deleteWebhook',
    about: 'Deletes a webhook and its deliveries.',
    notes:
      'After the answer no request to the URL is open, and none starts. A dry run names the flows that use the webhook.',
    response: deletionResponse,
    permission: 'user',
    query: deletionQuery,
    async handle({ principal, params, query }, deps) {
      const deletion = { principal, webhookId: getIdParam(params.webhook), ...query }
      return deletionAnswer(query, await deleteWebhook(deps, deletion))
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/secret',
    operationId: 'replaceWebhookSecret',
    about: 'Replaces the signing secret of a webhook; the response has the new one.',
    notes:
      'Deliveries that wait are signed with the new secret too. For 24 hours `webhook-signature` also has the signature of the old one.',
    response: { 200: webhookWithSecretSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      const { webhook, secret } = await replaceSecret(deps, { principal, webhookId: getIdParam(params.webhook) })
      return ok({ ...toWebhookJson(webhook), secret })
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/missed/clear',
    operationId: 'clearMissedEvents',
    about: 'Sets the count of events that a webhook has missed to 0.',
    notes:
      'Call it when you have handled the missed events. Events that are missed later are counted, and reported in the event log, again.',
    response: { 200: webhookSchema },
    permission: 'user',
    async handle({ principal, params }, deps) {
      const webhook = await clearMissedOf(deps, { principal, webhookId: getIdParam(params.webhook) })
      return ok(toWebhookJson(webhook))
    },
  }),
]
