import Joi from 'joi'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { keptHeaderNames } from '#shared/domain/webhook/deliveries/attempt-details.ts'
import { attemptErrors, deliveryStatuses } from '#shared/domain/webhook/deliveries/delivery.ts'
import { statusFilter, statusRange } from '#shared/domain/webhook/deliveries/response-status.ts'
import { deliveryEventTypes } from '#shared/domain/webhook/event-types.ts'
import { idText } from '../../schemas/body-schemas.ts'
import { joi } from '../../schemas/joi.ts'
import { choiceFilterSchema, pageQuerySchema } from '../../schemas/page-schemas.ts'
import { queryDate } from '../../schemas/query-schemas.ts'
import { arrayOf, count, id, nullable, objectOf, oneOf, stamps, text, time } from '../../schemas/response-schemas.ts'
import type { AllListedQuery, ListedQuery } from './list-deliveries.ts'

/** The filter on the type of event, in a body; in a query it may be empty. */
export const eventFilter = choiceFilterSchema(deliveryEventTypes)

/** The filters of lists and redeliveries. */
export const deliveryFilters = {
  listId: idText().description('Only deliveries of events of items of this list.'),
  itemId: idText().description('Only deliveries of events of this item.'),
  eventId: idText().description('Only deliveries of this event.'),
  responseStatus: joi
    .string()
    .check((text: string, { error }) => (statusFilter.test(text) ? statusRange(text) : error('status.form')), {
      pattern: statusFilter.source,
      description:
        'Only deliveries whose last response has this status, such as `502`, or any status of a class: `5xx`.',
    })
    .messages({ 'status.form': '{{#label}} must be a status such as 502, or 5xx' }),
  error: Joi.valid(...attemptErrors).description('Only deliveries whose last attempt has this error.'),
  startAt: queryDate('The earliest creation, inclusive'),
  endAt: queryDate('The latest creation, inclusive'),
}

/** The filter of calls for all webhooks. */
export const webhookId = idText().description('Only deliveries of this webhook.')

const listed = {
  status: Joi.valid(...deliveryStatuses).description('Only deliveries with this status.'),
  event: eventFilter.allow(''),
  ...deliveryFilters,
}

/** Query of GET /webhooks/{webhook}/deliveries. */
export const listDeliveriesQuery = pageQuerySchema<'createdAt', ListedQuery>({ orders: ['createdAt'], filters: listed })

/** Query of GET /deliveries. */
export const listAllDeliveriesQuery = pageQuerySchema<'createdAt', AllListedQuery>({
  orders: ['createdAt'],
  filters: { webhookId, ...listed },
})

const httpStatus = { ...count, description: 'The HTTP status.' }
const responseBody = { ...text, description: 'The first 4 KiB of the body, as text.' }
const durationMs = { ...count, description: 'The milliseconds from the start of the attempt to its end.' }
const attemptError = nullable(oneOf(attemptErrors))
const shown = {
  ...stamps,
  webhookId: { ...id, description: 'The webhook that it belongs to.' },
  eventId: { ...id, description: 'The id of the event, the same in the deliveries of all webhooks.' },
  event: { ...oneOf(deliveryEventTypes), description: 'The type of the event.' },
  listId: { ...nullable(id), description: "The list of the event's item; null for a ping." },
  itemId: { ...nullable(id), description: 'The item of the event; null for a ping.' },
  status: { ...oneOf(deliveryStatuses), description: 'Whether it waits, has succeeded or has failed for good.' },
  attempts: { ...count, description: 'The number of attempts so far, including an open one.' },
  nextAttemptAt: { ...nullable(time), description: 'The time of the next attempt; null: none is planned.' },
  lastAttemptAt: { ...nullable(time), description: 'The start of the last attempt; null: there was none.' },
  completedAt: { ...nullable(time), description: 'The time at which it succeeded or failed for good; null: it waits.' },
  response: {
    ...nullable(objectOf({ status: httpStatus, body: responseBody, durationMs })),
    description: 'The response to the last attempt, with at most 4 KiB of its body; null: there was none.',
  },
  error: { ...attemptError, description: 'The reason why there was no response; null: there was one.' },
}

/** A delivery (contract 2.7). */
export const deliverySchema = objectOf(shown, {
  title: 'Delivery',
  description: 'One event for one webhook; each POST of it is an attempt.',
})

const phase = nullable(count)
const attempt = objectOf({
  number: { ...count, description: 'The number of the attempt, from 1.' },
  startedAt: { ...time, description: 'The start of the attempt.' },
  durationMs: { ...nullable(count), description: `${durationMs.description} Null: it is open.` },
  status: { ...nullable(count), description: 'The HTTP status of the response; null: there was none.' },
  error: { ...attemptError, description: 'The reason why there was no response; null: there was one.' },
  phases: {
    ...nullable(
      objectOf({
        dnsMs: { ...phase, description: 'The look-up of the host.' },
        connectMs: { ...phase, description: 'The TCP handshake.' },
        tlsMs: { ...phase, description: 'The TLS handshake.' },
        waitMs: { ...phase, description: 'From the request to the head of the response.' },
      }),
    ),
    description:
      'The milliseconds that each phase took, or null for one that the attempt did not reach, or that a kept connection did not need. Recorded for attempts that failed or took over a second, and for pings.',
  },
  headers: {
    ...nullable({ type: 'object', additionalProperties: text }),
    description: `Headers of the response, recorded for the same attempts: ${keptHeaderNames.join(', ')}. At most 1 KiB.`,
  },
})

/** The same with the payload and every attempt. */
export const deliveryWithPayloadSchema = objectOf(
  {
    ...shown,
    payload: { ...anyObject, description: 'The body that is sent.' },
    attemptLog: { ...arrayOf(attempt), description: 'Every attempt, oldest first.' },
  },
  {
    title: 'DeliveryWithPayload',
    description: 'A delivery with its payload and every attempt.',
  },
)

/** How many deliveries were queued again, and for how many there was no room. */
export const redeliveredSchema = objectOf(
  {
    queued: { ...count, description: 'The number of deliveries that are sent again.' },
    skipped: {
      ...count,
      description: 'The number of deliveries that were skipped, because too many wait for the webhook already.',
    },
    next: { ...text, description: 'Present if there may be more: the `after` of the call that continues from here.' },
  },
  {
    title: 'Redelivered',
    description: 'The outcome of a redelivery: how many deliveries it queued, and how many it skipped.',
    optional: ['next'],
  },
)

const succeeded = { ...count, description: 'The number of those that succeeded.' }
const failed = { ...count, description: 'The number of those that failed for good.' }
const ofCause = { ...count, description: 'The number of failed deliveries with this cause.' }
const inMs = { ...count, description: 'Milliseconds.' }

/** Why deliveries failed. */
export const deliveryCauses = arrayOf({
  anyOf: [
    objectOf({
      error: { ...oneOf(attemptErrors), description: 'The error of the last attempt.' },
      count: ofCause,
    }),
    objectOf({ responseStatus: httpStatus, count: ofCause }),
  ],
})

/** The outcomes of the newest settled deliveries of a webhook. */
export const statsSchema = objectOf(
  {
    succeeded,
    failed,
    causes: {
      ...deliveryCauses,
      description: 'The outcomes of the last attempts of those that failed, the most frequent first.',
    },
    durations: {
      ...nullable(objectOf({ p50: inMs, p95: inMs, max: inMs })),
      description: 'The durations of their attempts: median, 95th percentile and longest; null: there was none.',
    },
    hours: {
      ...arrayOf(objectOf({ at: { ...time, description: 'The beginning of the hour.' }, succeeded, failed })),
      description: 'The hours in which they settled, oldest first.',
    },
  },
  { title: 'WebhookStats', description: 'The outcomes of the newest settled deliveries of a webhook, at most 1,000.' },
)
