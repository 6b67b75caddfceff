import Joi from 'joi'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { lengths } from '#shared/domain/limits.ts'
import { attemptErrors, deliveryStatuses } from '#shared/domain/webhook/delivery.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import { pageQuerySchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryDate } from '../../http/query.ts'
import {
  arrayOf,
  count,
  exampleId,
  exampleTime,
  id,
  nullable,
  objectOf,
  oneOf,
  text,
  time,
} from '../../http/response-schemas.ts'

/** Query of GET /webhooks/{webhook}/deliveries. */
export const listDeliveriesQuery = pageQuerySchema({
  orders: ['createdAt'],
  filters: {
    status: Joi.valid(...deliveryStatuses).description('Only deliveries with this status.'),
    event: textFilterSchema(),
    itemId: Joi.string().max(lengths.url).description('Only deliveries of events of this item.'),
  },
})

/** Body of POST /webhooks/{webhook}/deliveries/redeliver. */
export const redeliverFailedBody = Joi.object({
  status: Joi.valid('failed').required(),
  since: queryDate().required(),
}).example({ status: 'failed', since: exampleTime })

const exampleDelivery = {
  ...{ id: exampleId, createdAt: exampleTime, updatedAt: exampleTime, webhookId: exampleId, eventId: exampleId },
  ...{ event: 'item.created', listId: exampleId, itemId: exampleId, status: 'succeeded', attempts: 1 },
  ...{ nextAttemptAt: null, lastAttemptAt: exampleTime, completedAt: exampleTime },
  ...{ response: { status: 200, body: '', durationMs: 42 }, error: null },
}
const exampleAttempt = { number: 1, startedAt: exampleTime, durationMs: 42, status: 200, error: null }

const attemptError = nullable(oneOf(attemptErrors))
const shown = {
  id,
  createdAt: time,
  updatedAt: time,
  webhookId: id,
  eventId: id,
  event: oneOf(deliveryEventTypes),
  listId: nullable(id),
  itemId: nullable(id),
  status: oneOf(deliveryStatuses),
  attempts: { ...count, description: 'All ever made, an open one included.' },
  nextAttemptAt: nullable(time),
  lastAttemptAt: nullable(time),
  completedAt: nullable(time),
  response: {
    ...nullable(objectOf({ status: count, body: text, durationMs: count })),
    description: 'The response to the last attempt, with at most 4 KiB of its body; null: there was none.',
  },
  error: { ...attemptError, description: 'Why there was no response; null: there was one.' },
}

/** A delivery (contract 2.7). */
export const deliverySchema = objectOf(shown, { title: 'Delivery', examples: [exampleDelivery] })

const attempt = objectOf({
  number: count,
  startedAt: time,
  durationMs: nullable(count),
  status: nullable(count),
  error: attemptError,
})

/** The same with what is sent and every attempt. */
export const deliveryWithPayloadSchema = objectOf(
  {
    ...shown,
    payload: { ...anyObject, description: 'The body that is sent.' },
    attemptLog: arrayOf(attempt),
  },
  {
    title: 'DeliveryWithPayload',
    examples: [{ ...exampleDelivery, payload: { id: exampleId, type: 'item.created' }, attemptLog: [exampleAttempt] }],
  },
)

/** How many deliveries were queued again, and for how many there was no room. */
export const redeliverFailedSchema = objectOf(
  { queued: count, skipped: count },
  { examples: [{ queued: 3, skipped: 0 }] },
)
