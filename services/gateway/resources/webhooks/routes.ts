import { findWebhook } from '#shared/data/webhooks/webhooks.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { toWebhookJson } from '#shared/domain/webhook/fields.ts'
import { AppError } from '#shared/errors.ts'
import { type PageQuery, pageRequest, toPageJson } from '../../http/page-schemas.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { Route } from '../../request/route.ts'
import type { WebhookDeps } from './context.ts'
import { createWebhook, type NewWebhook } from './create-webhook.ts'
import { deleteWebhook } from './delete-webhook.ts'
import { listWebhooks, type WebhookFilters, type WebhookOrder, webhookOrders } from './list-webhooks.ts'
import { parseParams } from './parse-params.ts'
import { replaceSecret } from './replace-secret.ts'
import { createWebhookBody, listWebhooksQuery, updateWebhookBody } from './schemas.ts'
import { updateWebhook } from './update-webhook.ts'

/** Webhooks, in user mode only (contract 2.7). */
export const webhookRoutes: readonly Route<WebhookDeps>[] = [
  {
    method: 'POST',
    path: '/webhooks',
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: createWebhookBody },
    async handle({ id, principal, body }, deps) {
      const input = { principal: principal as UserPrincipal, body: body as NewWebhook, requestId: id }
      const { webhook, secret } = await createWebhook(deps, input)
      return { status: 201, body: { ...toWebhookJson(webhook), secret } }
    },
  },
  {
    method: 'GET',
    path: '/webhooks',
    permission: 'user',
    query: listWebhooksQuery,
    async handle({ principal, query }, deps) {
      const { description, activated, ...pageQuery } = query as PageQuery & WebhookFilters & { order: WebhookOrder }
      const filters = { ...(description && { description }), ...(activated !== undefined && { activated }) }
      const request = {
        ...pageRequest(pageQuery, { direction: webhookOrders[pageQuery.order], filters }),
        order: pageQuery.order,
      }
      const page = await listWebhooks(deps, { principal: principal as UserPrincipal, filters, request })
      return { status: 200, body: toPageJson(page, toWebhookJson) }
    },
  },
  {
    method: 'GET',
    path: '/webhooks/{webhook}',
    permission: 'user',
    async handle(request, deps) {
      const { principal, webhookId } = parseParams(request)
      const webhook = await findWebhook(deps.db, { accountId: principal.accountId, webhookId })
      if (!webhook) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
      return { status: 200, body: toWebhookJson(webhook) }
    },
  },
  {
    method: 'PUT',
    path: '/webhooks/{webhook}',
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: updateWebhookBody },
    async handle(request, deps) {
      const body = request.body as Partial<NewWebhook>
      const webhook = await updateWebhook(deps, { ...parseParams(request), body, requestId: request.id })
      return { status: 200, body: toWebhookJson(webhook) }
    },
  },
  {
    method: 'DELETE',
    path: '/webhooks/{webhook}',
    permission: 'user',
    async handle(request, deps) {
      await deleteWebhook(deps, parseParams(request))
      return { status: 204 }
    },
  },
  {
    method: 'POST',
    path: '/webhooks/{webhook}/secret',
    permission: 'user',
    async handle(request, deps) {
      const { webhook, secret } = await replaceSecret(deps, parseParams(request))
      return { status: 200, body: { ...toWebhookJson(webhook), secret } }
    },
  },
]
