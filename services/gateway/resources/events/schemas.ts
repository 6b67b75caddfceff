import { eventStreams } from '#shared/domain/event.ts'
import { anyObject } from '#shared/domain/fields/json-schema.ts'
import { pageQuerySchema, textFilterSchema } from '../../http/page-schemas.ts'
import { queryBoolean, queryDate } from '../../http/query.ts'
import { exampleId, exampleTime, id, nullable, objectOf, oneOf, text, time } from '../../http/response-schemas.ts'
import { includeGuardedSchema } from '../items/schemas.ts'

/** Entries never change, so both orders are the same. */
const orders = ['createdAt', 'updatedAt']

const filters = {
  type: textFilterSchema(),
  startAt: queryDate(),
  endAt: queryDate(),
  includeSnapshot: queryBoolean().description('Whether entries have their `snapshot`.'),
}

/** Query of GET /events. */
export const accountEventsQuery = pageQuerySchema({ orders, filters: { stream: textFilterSchema(), ...filters } })

/** Query of the events of one identity. */
export const identityEventsQuery = pageQuerySchema({ orders, filters })

/** Query of the events of one list, item or index. */
export const eventsQuery = pageQuerySchema({ orders, filters: { ...filters, includeGuarded: includeGuardedSchema() } })

const exampleEvent = {
  ...{ id: exampleId, createdAt: exampleTime, updatedAt: exampleTime, stream: 'item', type: 'item-created' },
  ...{ modelId: exampleId, version: '1.0.0', actor: { authMode: 'token', tokenId: exampleId, identityId: null } },
}

/** Who made a change; null: the service itself. */
const actor = {
  anyOf: [
    objectOf({ authMode: { const: 'token' }, tokenId: id, identityId: nullable(id) }),
    objectOf({ authMode: { const: 'user' }, tokenId: { type: 'null' }, identityId: { type: 'null' } }),
    { type: 'null' },
  ],
}

/** An entry of the event log (contract 2.6). */
export const eventSchema = objectOf(
  {
    id,
    createdAt: time,
    updatedAt: time,
    stream: oneOf(eventStreams),
    type: { ...text, description: 'Begins with the stream: `item-created`.' },
    modelId: id,
    version: { ...nullable(text), description: "The item's version after the change; null for all else." },
    actor,
    snapshot: { ...anyObject, description: 'The resource after the change, or before its deletion.' },
    attachments: { ...anyObject, description: 'Details, such as a reason.' },
  },
  { title: 'Event', optional: ['snapshot', 'attachments'], examples: [exampleEvent] },
)
