import type { Client } from './client.ts'
import type { Filter } from './filters.ts'
import { createPages, type PageOptions, type Pages, type Where } from './pages.ts'
import { type Answer, type CallOptions, type DeleteOptions, route } from './transport.ts'
import type { Deletion } from './types/resources.ts'
import type {
  Delivery,
  DeliveryWithPayload,
  Redelivered,
  SignedDeliveries,
  Verification,
  Webhook,
  WebhookFields,
  WebhookStats,
  WebhookWithSecret,
  WrittenWebhook,
} from './types/user-resources.ts'

export type DeliveriesWhere = {
  status?: Delivery['status']
  event?: Filter<string>
  listId?: string
  itemId?: string
  eventId?: string
  /** A status, such as '502', or one of a hundred: '5xx'. */
  responseStatus?: string
  error?: NonNullable<Delivery['error']>
}

export type DeliveriesOptions<W = DeliveriesWhere> = PageOptions<W> & {
  /** The earliest and the latest creation. */
  startAt?: Date | string | undefined
  endAt?: Date | string | undefined
}

/** Which settled deliveries to send again. Without another condition than the status, `since` is required. */
export type RedeliverFields = Omit<DeliveriesWhere, 'status' | 'event'> & {
  /** `failed`: deliveries that failed for good; `settled`: also those that succeeded. */
  status: 'failed' | 'settled'
  /** A part of the type of the event; `eq:`, `starts:` and `in:` as in a query. */
  event?: string
  since?: Date | string
  until?: Date | string
  startAt?: Date | string
  endAt?: Date | string
  /** The `next` of the previous call. */
  after?: string
}

export type RedeliverOptions = CallOptions & {
  /** Only counts. */
  dryRun?: boolean | undefined
}

export type Webhooks = {
  /** The answer has the signing secret. */
  create(fields: WebhookFields, options?: CallOptions): Answer<WebhookWithSecret>
  all(options?: PageOptions<Omit<Where<'description'>, 'tagged'>>): Pages<Webhook>
  get(webhook: string, options?: CallOptions): Answer<Webhook>
  update(webhook: string, fields: Partial<WebhookFields>, options?: CallOptions): Answer<WrittenWebhook>
  /** A dry run returns the warnings about flows that use it; otherwise the result is undefined. */
  delete(webhook: string, options?: DeleteOptions): Answer<Deletion | undefined>
  /** The old secret's signature is sent too, for 24 hours. */
  replaceSecret(webhook: string, options?: CallOptions): Answer<WebhookWithSecret>
  /** Sets the count of events that it missed to 0. */
  clearMissed(webhook: string, options?: CallOptions): Answer<Webhook>
  /** Sends a test event. */
  ping(webhook: string, options?: CallOptions): Answer<Delivery>
  deliveries(webhook: string, options?: DeliveriesOptions): Pages<Delivery>
  /** The deliveries of all webhooks. */
  allDeliveries(options?: DeliveriesOptions<DeliveriesWhere & { webhookId?: string }>): Pages<Delivery>
  delivery(webhook: string, delivery: string, options?: CallOptions): Answer<DeliveryWithPayload>
  /** Statistics of its newest 1,000 settled deliveries. */
  stats(webhook: string, options?: CallOptions): Answer<WebhookStats>
  /** Signs deliveries as if they were sent now, for a receiver of your own. At most 50 a call. */
  sign(webhook: string, deliveries: readonly string[], options?: CallOptions): Answer<SignedDeliveries>
  /** Checks whether a request that a receiver got is from the webhook, and if not, why. */
  verify(
    webhook: string,
    received: { headers: Record<string, string>; body: string },
    options?: CallOptions,
  ): Answer<Verification>
  redeliver(webhook: string, delivery: string, options?: CallOptions): Answer<Delivery>
  /** Sends the failed deliveries that were created since then again. */
  redeliverFailed(webhook: string, since: Date | string, options?: RedeliverOptions): Answer<Redelivered>
  /** Sends the settled deliveries again that meet the conditions. With `next` in the answer there may be more. */
  redeliverMatching(webhook: string, fields: RedeliverFields, options?: RedeliverOptions): Answer<Redelivered>
  /** The same for all webhooks. */
  redeliverAll(fields: RedeliverFields & { webhookId?: string }, options?: RedeliverOptions): Answer<Redelivered>
}

export function createWebhooks({ send }: Pick<Client, 'send'>): Webhooks {
  const pathOf = (webhook: string) => route`/webhooks/${webhook}`
  const deliveriesOf = (webhook: string) => `${pathOf(webhook)}/deliveries`
  const deliveryOf = (webhook: string, delivery: string) => deliveriesOf(webhook) + route`/${delivery}`
  const redeliver: Webhooks['redeliverMatching'] = (webhook, body, options) =>
    send(`POST ${deliveriesOf(webhook)}/redeliver`, { body, options })
  return {
    create: (body, options) => send('POST /webhooks', { body, options }),
    all: (options) => createPages(send, 'GET /webhooks', options),
    get: (webhook, options) => send(`GET ${pathOf(webhook)}`, { options }),
    update: (webhook, body, options) => send(`PUT ${pathOf(webhook)}`, { body, options }),
    delete: (webhook, options) => send(`DELETE ${pathOf(webhook)}`, { options }),
    replaceSecret: (webhook, options) => send(`POST ${pathOf(webhook)}/secret`, { options }),
    clearMissed: (webhook, options) => send(`POST ${pathOf(webhook)}/missed/clear`, { options }),
    ping: (webhook, options) => send(`POST ${pathOf(webhook)}/ping`, { options }),
    deliveries: (webhook, options) => createPages(send, `GET ${deliveriesOf(webhook)}`, options),
    delivery: (webhook, delivery, options) => send(`GET ${deliveryOf(webhook, delivery)}`, { options }),
    stats: (webhook, options) => send(`GET ${pathOf(webhook)}/stats`, { options }),
    sign: (webhook, deliveries, options) =>
      send(`POST ${deliveriesOf(webhook)}/sign`, { body: { deliveries }, options }),
    verify: (webhook, body, options) => send(`POST ${pathOf(webhook)}/verify`, { body, options }),
    redeliver: (webhook, delivery, options) => send(`POST ${deliveryOf(webhook, delivery)}/redeliver`, { options }),
    allDeliveries: (options) => createPages(send, 'GET /deliveries', options),
    redeliverFailed: (webhook, since, options) => redeliver(webhook, { status: 'failed', since }, options),
    redeliverMatching: redeliver,
    redeliverAll: (body, options) => send('POST /deliveries/redeliver', { body, options }),
  }
}
