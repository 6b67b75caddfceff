import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import { eventStreams, eventTypes } from '#shared/domain/event-types.ts'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { joi } from '../../schemas/joi.ts'
import { choiceFilterSchema, type PageQuery, pageQuerySchema, type SentFilters } from '../../schemas/page-schemas.ts'
import { queryBoolean, queryDate } from '../../schemas/query-schemas.ts'
import { id, nullable, objectOf, oneOf, stamps, text } from '../../schemas/response-schemas.ts'
import { includeGuardedSchema } from '../items/schemas.ts'

/** Entries never change, so both orders are the same. */
const orders = ['createdAt', 'updatedAt']

const includeSnapshot = queryBoolean().description('Whether entries have their `snapshot`.')

const filters = {
  type: choiceFilterSchema(Object.values(eventTypes).flat()).allow(''),
  startAt: queryDate('The earliest time of an entry, inclusive'),
  endAt: queryDate('The latest time of an entry, inclusive'),
  includeSnapshot,
}

/** The query of a page of events. */
export type EventsQuery = PageQuery & SentFilters<EventFilters> & { includeSnapshot?: boolean }

/** Query of GET /events. */
export const accountEventsQuery = pageQuerySchema<string, EventFilters, { includeSnapshot?: boolean }>({
  orders,
  filters: { stream: choiceFilterSchema(eventStreams).allow(''), ...filters },
})

type SubjectFilters = Omit<EventFilters, 'stream'>

/** Query of the events of one identity. */
export const identityEventsQuery = pageQuerySchema<string, SubjectFilters, { includeSnapshot?: boolean }>({
  orders,
  filters,
})

/** Query of the events of one list, item or index. */
export const eventsQuery = pageQuerySchema<
  string,
  SubjectFilters,
  { includeSnapshot?: boolean; includeGuarded?: boolean }
>({ orders, filters: { ...filters, includeGuarded: includeGuardedSchema() } })

/** Whether one event is shown with its snapshot. */
export type EventView = { includeSnapshot: boolean }

/** Query of one event of an identity. */
export const readIdentityEventQuery = joi.object<EventView>({ includeSnapshot: includeSnapshot.default(true) })

/** Query of one event of a list, an item or an index. */
export const readEventQuery = readIdentityEventQuery.append<EventView & { includeGuarded?: boolean }>({
  includeGuarded: includeGuardedSchema(),
})

const authMode = { description: 'The mode of authentication of the request.' }
const tokenId = { description: 'The API token of the request; null in user mode.' }
const identityId = { description: 'The identity that the token acted for; null: none.' }
const actor = {
  description: 'The caller that caused the change; null: the service itself, or a command.',
  anyOf: [
    objectOf({
      authMode: { const: 'token', ...authMode },
      tokenId: { ...id, ...tokenId },
      identityId: { ...nullable(id), ...identityId },
    }),
    objectOf(
      {
        authMode: { const: 'user', ...authMode },
        tokenId: { type: 'null', ...tokenId },
        identityId: { type: 'null', ...identityId },
        userId: { ...id, description: 'The user who caused the change. Absent in answers to tokens.' },
        userName: {
          ...nullable(text),
          description: 'The display name of the user, or else the email; null: the user has been deleted.',
        },
      },
      { optional: ['userId', 'userName'] },
    ),
    objectOf({
      authMode: { const: 'flow', ...authMode },
      tokenId: { ...nullable(id), ...tokenId },
      identityId: { ...nullable(id), ...identityId },
      flowId: { ...id, description: 'The flow that caused the change.' },
      runId: { ...id, description: 'The run that caused it.' },
    }),
    { type: 'null' },
  ],
}

/** An entry of the event log (contract 2.6). */
export const eventSchema = objectOf(
  {
    ...stamps,
    stream: { ...oneOf(eventStreams), description: 'The kind of resource that changed.' },
    type: { ...text, description: 'The kind of change, which begins with the stream: `item-created`.' },
    modelId: { ...id, description: 'The id of the resource that changed.' },
    listId: { ...nullable(id), description: 'The list itself, or the list of the resource; null: there is none.' },
    version: { ...nullable(text), description: "The item's version after the change; null for all else." },
    actor,
    snapshot: { ...anyObject, description: 'The resource after the change, or before its deletion.' },
    attachments: { ...anyObject, description: 'Details, such as a reason.' },
  },
  {
    title: 'Event',
    description: 'An entry of the event log; it never changes.',
    optional: ['snapshot', 'attachments'],
  },
)
