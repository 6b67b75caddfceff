import type { Fields, ValuesIn, ValuesOf } from '../fields/field.ts'
import { accountId, ownFields } from '../fields/resource-fields.ts'
import { answer } from '../fields/values.ts'
import { lengths, maxCounted, maxWebhookEvents, maxWebhookHeaders, maxWebhookLists, maxWebhookRate } from '../limits.ts'
import { itemEventTypes } from './event-types.ts'
import type { Where } from './where.ts'

/** The `disabledReason` of a webhook that its owner has deactivated; other reasons report too many failures. */
export const deactivatedReason = 'deactivated'

const byRequest = ['create', 'update'] as const

/** The fields of a webhook, always without its secret and the values of its headers (contract 2.7). */
export const webhookFields = {
  ...ownFields,
  url: {
    kind: 'text',
    max: lengths.url,
    write: byRequest,
    about: 'The address that deliveries are sent to: an https URL of a public host that answers.',
  },
  events: {
    kind: 'list',
    of: itemEventTypes,
    max: maxWebhookEvents,
    write: byRequest,
    about: 'The event types that are sent to it; an empty array: only events that flows emit to it.',
  },
  description: {
    kind: 'text',
    max: lengths.description,
    initial: '',
    write: byRequest,
    filter: true,
    about: 'A note for people about its purpose.',
  },
  listIds: {
    kind: 'list',
    of: 'id',
    max: maxWebhookLists,
    initial: [],
    write: byRequest,
    about: 'The lists whose events are sent to it; empty: all lists, later ones too.',
  },
  headerNames: {
    kind: 'list',
    of: 'text',
    max: maxWebhookHeaders,
    initial: [],
    about: 'The names of the fixed headers of its requests; their values are never shown.',
  },
  maxRequestsPerSecond: {
    kind: 'integer',
    min: 1,
    max: maxWebhookRate,
    nullable: true,
    initial: null,
    write: byRequest,
    about: 'The maximum number of requests per second; further requests wait. null: no limit.',
  },
  activated: { kind: 'flag', initial: true, write: byRequest, filter: true, about: 'Whether events are sent to it.' },
  failureCount: {
    kind: 'integer',
    min: 0,
    initial: 0,
    about: 'The number of consecutive deliveries that failed permanently.',
  },
  disabledAt: {
    kind: 'time',
    nullable: true,
    initial: null,
    about: 'The time at which it was deactivated; null: it is activated.',
  },
  disabledReason: {
    kind: 'text',
    max: lengths.disabledReason,
    nullable: true,
    initial: null,
    about: 'The reason why it is not activated; null: it is activated.',
  },
  waitingCount: {
    kind: 'integer',
    min: 0,
    initial: 0,
    about: 'The number of deliveries that are waiting or in progress.',
  },
  heldCount: {
    kind: 'integer',
    min: 0,
    initial: 0,
    about: `The number of events that are held for it behind the waiting deliveries, counted to ${maxCounted}.`,
  },
  heldIsAtLeast: { kind: 'flag', initial: false, about: 'Whether more events are held than were counted.' },
  oldestHeldAt: {
    kind: 'time',
    nullable: true,
    initial: null,
    about: 'The time since which the oldest of them has been held; null: none is held.',
  },
  missedCount: {
    kind: 'integer',
    min: 0,
    initial: 0,
    about: 'The number of events that it permanently missed, because too many were held, or for too long.',
  },
  lastDeliveryAt: {
    kind: 'time',
    nullable: true,
    initial: null,
    about: 'The start of the last attempt; null: there was none.',
  },
  accountId,
} as const satisfies Fields

/** A webhook as the code represents it, with the counters of its queue row and its filters on index values. */
export interface Webhook extends ValuesOf<typeof webhookFields> {
  where: Where
}

/** The fields that a request may set; `headers` and `where` replace the previous ones. */
export type WebhookBody = ValuesIn<typeof webhookFields, 'create' | 'update'> & {
  headers?: Readonly<Record<string, string>>
  where?: Where
}

const toFieldsJson = answer(webhookFields)

/** A webhook as clients see it. */
export function toWebhookJson(webhook: Webhook) {
  return { ...toFieldsJson(webhook), where: webhook.where }
}
