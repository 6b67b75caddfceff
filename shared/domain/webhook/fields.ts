import type { Fields, ValuesIn, ValuesOf } from '../fields/field.ts'
import { accountId, ownFields } from '../fields/resource-fields.ts'
import { answer } from '../fields/values.ts'
import { lengths, maxWebhookEvents, maxWebhookLists } from '../limits.ts'
import { itemEventTypes } from './event-types.ts'

const byRequest = ['create', 'update'] as const

/** The fields of a webhook, always without its secret (contract 2.7). */
export const webhookFields = {
  ...ownFields,
  url: {
    kind: 'text',
    max: lengths.url,
    write: byRequest,
    about: 'Where deliveries are sent: an https url of a public host that answers.',
  },
  events: {
    kind: 'list',
    of: itemEventTypes,
    max: maxWebhookEvents,
    write: byRequest,
    about: 'The event types that are sent to it; none: only what flows send it.',
  },
  description: {
    kind: 'text',
    max: lengths.description,
    initial: '',
    write: byRequest,
    filter: true,
    about: 'What it is for.',
  },
  listIds: {
    kind: 'list',
    of: 'id',
    max: maxWebhookLists,
    initial: [],
    write: byRequest,
    about: 'The lists whose events are sent to it; empty: all lists, later ones too.',
  },
  activated: { kind: 'flag', initial: true, write: byRequest, filter: true, about: 'Whether events are sent to it.' },
  failureCount: { kind: 'integer', min: 0, initial: 0, about: 'How many deliveries in a row failed for good.' },
  disabledAt: { kind: 'time', nullable: true, initial: null, about: 'Since when it is not activated.' },
  disabledReason: {
    kind: 'text',
    max: lengths.disabledReason,
    nullable: true,
    initial: null,
    about: 'Why it is not activated.',
  },
  waitingCount: { kind: 'integer', min: 0, initial: 0, about: 'How many deliveries wait or are being sent.' },
  missedCount: { kind: 'integer', min: 0, initial: 0, about: 'How many events it missed because too many waited.' },
  lastDeliveryAt: { kind: 'time', nullable: true, initial: null, about: 'When its last attempt began.' },
  accountId,
} as const satisfies Fields

/** A webhook as the code holds it, with the counters of its queue row. */
export interface Webhook extends ValuesOf<typeof webhookFields> {}

/** What a request may set. */
export type WebhookBody = ValuesIn<typeof webhookFields, 'create' | 'update'>

/** A webhook as clients see it. */
export const toWebhookJson = answer(webhookFields)
