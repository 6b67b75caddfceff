import type { DeliveryKey } from '#shared/data/deliveries/deliveries.ts'
import { bodyBytes } from '#shared/domain/limits.ts'
import { serializeDelivery, toDeliveryJson } from '#shared/domain/webhook/deliveries/delivery-json.ts'
import type { ApiRequest } from '../../request/api-request.ts'
import { getIdParam } from '../../request/id-param.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import { json, ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { type PageQuery, pageRequest, type SentFilters, setFilters, toPageJson } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import { webhookKey } from '../webhooks/webhook-key.ts'
import type { DeliveryDeps } from './context.ts'
import { getDelivery } from './get-delivery.ts'
import { getStats } from './get-stats.ts'
import { type AllListedQuery, listAllDeliveries, listDeliveries } from './list-deliveries.ts'
import { pingWebhook } from './ping-webhook.ts'
import { redeliver } from './redeliver.ts'
import { redeliverMatching } from './redeliver-matching.ts'
import { redeliverAllBody, redeliverBody, redeliverQuery, redeliveryOf } from './redelivery-schemas.ts'
import {
  deliverySchema,
  deliveryWithPayloadSchema,
  listAllDeliveriesQuery,
  listDeliveriesQuery,
  redeliveredSchema,
  statsSchema,
} from './schemas.ts'

/** The deliveries of a webhook, in user mode only (contract 2.7). */
export const deliveryRoutes: readonly Route<DeliveryDeps>[] = [
  route({
    method: 'GET',
    path: '/deliveries',
    operationId: 'listAllDeliveries',
    about: 'A page of the deliveries of all webhooks.',
    notes: 'The newest come first. Filters and limits are those of the deliveries of one webhook.',
    response: { 200: pageOf(deliverySchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: 'user',
    query: listAllDeliveriesQuery,
    async handle({ principal, query }, deps) {
      const page = await listAllDeliveries(deps, principal.accountId, listingOf(query))
      return ok(toPageJson(page, toDeliveryJson))
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/{webhook}/deliveries',
    operationId: 'listDeliveries',
    about: 'A page of the deliveries of a webhook.',
    notes:
      'The newest come first. Settled deliveries are deleted after 30 days, unless the operator has set another time. With a filter that no index serves a call examines at most 20,000 rows: a page by cursor may then have few rows or none, and `next` continues.',
    response: { 200: pageOf(deliverySchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: 'user',
    query: listDeliveriesQuery,
    async handle(request, deps) {
      const page = await listDeliveries(deps, webhookKey(request), listingOf(request.query))
      return ok(toPageJson(page, toDeliveryJson))
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/{webhook}/stats',
    operationId: 'getWebhookStats',
    about: 'The outcomes of the newest 1,000 settled deliveries of a webhook.',
    notes:
      'Pings are left out. Causes are those of the deliveries that failed for good; durations are those of attempts.',
    response: { 200: statsSchema },
    permission: 'user',
    async handle(request, deps) {
      return ok(await getStats(deps, webhookKey(request)))
    },
  }),
  route({
    method: 'GET',
    path: '/webhooks/{webhook}/deliveries/{delivery}',
    operationId: 'getDelivery',
    about: 'A delivery, with its payload and every attempt.',
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
    about: 'Sends all settled deliveries of a webhook again that pass the filters.',
    notes:
      'The oldest come first. A delivery is skipped if the maximum number of deliveries already waits for the webhook. A call examines at most 20,000 rows; `next` continues.',
    response: { 200: redeliveredSchema },
    permission: 'user',
    query: redeliverQuery,
    body: { maxBytes: bodyBytes.other, schema: redeliverBody },
    async handle(request, deps) {
      return ok(await redeliverMatching(deps, { ...redeliveryOf(request), ...webhookKey(request) }))
    },
  }),
  route({
    method: 'POST',
    path: '/deliveries/redeliver',
    operationId: 'redeliverAll',
    about: 'Sends all settled deliveries again that pass the filters, of all webhooks.',
    notes: 'Works as for one webhook. Webhooks are handled in the order of their creation.',
    response: { 200: redeliveredSchema },
    errors: ['REQUESTED_ENTITY_NOT_FOUND'],
    permission: 'user',
    query: redeliverQuery,
    body: { maxBytes: bodyBytes.other, schema: redeliverAllBody },
    async handle(request, deps) {
      return ok(await redeliverMatching(deps, redeliveryOf(request)))
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

/** The filters that are set and the request for the page. */
function listingOf({ page, limit, order, direction, after, ...sent }: PageQuery & SentFilters<AllListedQuery>) {
  const filters = setFilters<AllListedQuery>(sent)
  const query = { page, limit, order, ...(direction && { direction }), ...(after !== undefined && { after }) }
  return { filters, request: pageRequest(query, { direction: 'desc', filters }) }
}
