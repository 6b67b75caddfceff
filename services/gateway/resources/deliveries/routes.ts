import type { DeliveryKey } from '#shared/data/deliveries/deliveries.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { serializeDelivery, toDeliveryJson } from '#shared/domain/webhook/delivery-json.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import { getIdParam } from '../../request/id-param.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import { json, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { pageRequest, setFilters, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import { webhookKey } from '../webhooks/webhook-key.ts'
import type { DeliveryDeps } from './context.ts'
import { getDelivery } from './get-delivery.ts'
import { type DeliveryQuery, listDeliveries } from './list-deliveries.ts'
import { pingWebhook } from './ping-webhook.ts'
import { redeliver } from './redeliver.ts'
import { redeliverFailed } from './redeliver-failed.ts'
import {
  deliverySchema,
  deliveryWithPayloadSchema,
  listDeliveriesQuery,
  redeliverFailedBody,
  redeliverFailedSchema,
} from './schemas.ts'

/** The deliveries of a webhook, in user mode only (contract 2.7). */
export const deliveryRoutes: readonly Route<DeliveryDeps>[] = [
  route({
    method: 'GET',
    path: '/webhooks/{webhook}/deliveries',
    operationId: 'listDeliveries',
    about: 'A page of the deliveries of a webhook.',
    notes:
      'The newest come first. Settled deliveries are deleted after 30 days, unless the operator has set another time.',
    response: { 200: pageOf(deliverySchema) },
    permission: 'user',
    query: listDeliveriesQuery,
    async handle(request, deps) {
      const { status, event, itemId, ...pageQuery } = request.query
      const filters = setFilters<DeliveryQuery>({ status, event, itemId })
      const page = await listDeliveries(deps, webhookKey(request), {
        filters,
        request: pageRequest(pageQuery, { direction: 'desc', filters }),
      })
      return ok(toPageJson(page, toDeliveryJson))
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/{webhook}/deliveries/{delivery}',
    operationId: 'getDelivery',
    about: 'A delivery, with what is sent and every attempt.',
    notes: '`payload` is the body exactly as it is sent.',
    response: { 200: deliveryWithPayloadSchema },
    permission: 'user',
    async handle(request, deps) {
      const { delivery, ...contents } = await getDelivery(deps, deliveryKey(request))
      return json(serializeDelivery(delivery, contents))
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/deliveries/{delivery}/redeliver',
    operationId: 'redeliver',
    about: 'Sends a delivery again that has succeeded or failed.',
    notes: 'The delivery keeps its ids and its bytes, and gets eight new attempts.',
    response: { 200: deliverySchema },
    errors: ['DELIVERY_PENDING', 'WEBHOOK_BACKLOG_FULL'],
    permission: 'user',
    async handle(request, deps) {
      return ok(toDeliveryJson(await redeliver(deps, deliveryKey(request))))
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/deliveries/redeliver',
    operationId: 'redeliverFailed',
    about: 'Sends all failed deliveries again that were created since then.',
    notes: 'The oldest come first. A delivery is skipped when the webhook has no room for another one that waits.',
    response: { 200: redeliverFailedSchema },
    permission: 'user',
    body: { maxBytes: bodyBytes.other, schema: redeliverFailedBody },
    async handle(request, deps) {
      const { since } = request.body
      return ok(await redeliverFailed(deps, { ...webhookKey(request), since }))
    },
  }),
  route({
    method: 'POST',
    path: '/webhooks/{webhook}/ping',
    operationId: 'pingWebhook',
    about: 'Sends a test event and waits for the outcome.',
    notes: 'The answer is the delivery, whatever the receiver said. A disabled webhook can be pinged too.',
    response: { 200: deliverySchema },
    errors: ['WEBHOOK_BUSY'],
    permission: 'user',
    async handle({ id, principal, params }, deps) {
      const ping = { principal, webhookId: getIdParam(params.webhook), requestId: id }
      const delivery = await pingWebhook(deps, ping)
      return ok(toDeliveryJson(delivery))
    },
  }),
]

function deliveryKey(request: ApiRequest<UserPrincipal, { webhook: string; delivery: string }>): DeliveryKey {
  return { ...webhookKey(request), deliveryId: getIdParam(request.params.delivery) }
}
