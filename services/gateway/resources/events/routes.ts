import type { EventQuery } from '#shared/data/events/event-log.ts'
import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import type { Page } from '#shared/data/pages/page.ts'
import { readUserNames } from '#shared/data/users/users.ts'
import type { Permission } from '#shared/domain/access/permission-rule.ts'
import { type EventEntry, serializeEvent, type UserNames, userIdsOf } from '#shared/domain/event.ts'
import type { ErrorName } from '#shared/errors.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { json, type Response } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { pageRequest, serializePage, setFilters } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import { aliasErrors } from '../items/schemas.ts'
import type { EventDeps } from './context.ts'
import { getIdentityEvent, listIdentityEvents } from './identity-events.ts'
import { getEvent, listAccountEvents, listEvents } from './list-events.ts'
import {
  accountEventsQuery,
  type EventsQuery,
  type EventView,
  eventSchema,
  eventsQuery,
  identityEventsQuery,
  readEventQuery,
  readIdentityEventQuery,
} from './schemas.ts'

const examines =
  'With `type` a call examines at most 20,000 events: a page by cursor may then have few rows or none, and `next` continues.'

/** The event log of the account (contract 2.6), and of one list, item, index or identity (contract 2.1 to 2.5). */
export const eventRoutes: readonly Route<EventDeps>[] = [
  route({
    method: 'GET',
    path: '/events',
    operationId: 'listAccountEvents',
    about: 'A page of the event log of the account.',
    notes: 'The newest come first. Entries are deleted after 90 days, unless the operator has set another time.',
    response: { 200: pageOf(eventSchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: 'user',
    query: accountEventsQuery,
    async handle({ principal, query }, deps) {
      const page = await listAccountEvents(deps, { principal, query: eventQuery(query) })
      return eventPage(page, { db: deps.db, principal })
    },
  }),
  ...eventsOf('/lists/{list}', 'list', { page: 'listListEvents', one: 'getListEvent' }),
  ...eventsOf('/lists/{list}/items/{item}', 'item', { page: 'listItemEvents', one: 'getItemEvent' }),
  ...eventsOf('/lists/{list}/indexes/{index}', 'index', { page: 'listIndexEvents', one: 'getIndexEvent' }),
  route({
    method: 'GET',
    path: '/identities/{identity}/events',
    operationId: 'listIdentityEvents',
    about: 'A page of the events of one identity.',
    notes: `The events of a deleted identity are in the event log of the account. ${examines}`,
    response: { 200: pageOf(eventSchema) },
    errors: ['QUESTION_TOO_BROAD'],
    permission: viewWithEvents('identity'),
    query: identityEventsQuery,
    async handle({ principal, params, query }, deps) {
      const page = await listIdentityEvents(deps, { principal, ...params, query: eventQuery(query) })
      return eventPage(page, { db: deps.db, principal })
    },
  }),
  route({
    method: 'GET',
    path: '/identities/{identity}/events/{event}',
    operationId: 'getIdentityEvent',
    about: 'An event of one identity, with its snapshot.',
    notes: 'The snapshot is absent if none was kept.',
    response: { 200: eventSchema },
    permission: viewWithEvents('identity'),
    query: readIdentityEventQuery,
    async handle({ principal, params, query }, deps) {
      return eventResponse(await getIdentityEvent(deps, { principal, ...params }), query, { db: deps.db, principal })
    },
  }),
]

/** Events also need a permission of their own. */
function viewWithEvents(subjectType: 'list' | 'item' | 'index' | 'identity'): Permission[] {
  return [subjectType, 'event' as const].map((resourceType) => ({ action: 'view', resourceType }))
}

function eventsOf(
  subjectPath: '/lists/{list}' | '/lists/{list}/items/{item}' | '/lists/{list}/indexes/{index}',
  subjectType: 'list' | 'item' | 'index',
  operationIds: { page: string; one: string },
): Route<EventDeps>[] {
  const errors: readonly ErrorName[] = subjectType === 'item' ? aliasErrors : []
  const permission = viewWithEvents(subjectType)
  return [
    route({
      method: 'GET',
      path: `${subjectPath}/events`,
      operationId: operationIds.page,
      about: `A page of the events of one ${subjectType}.`,
      notes: `The newest come first. \`includeSnapshot=true\` adds the resource as it was after each event. ${examines}`,
      response: { 200: pageOf(eventSchema) },
      errors: [...errors, 'QUESTION_TOO_BROAD'],
      permission,
      query: eventsQuery,
      async handle({ principal, params, query }, deps) {
        const includeGuarded = query.includeGuarded === true
        const page = await listEvents(deps, { principal, ...params, includeGuarded, query: eventQuery(query) })
        return eventPage(page, { db: deps.db, principal })
      },
    }),
    route({
      method: 'GET',
      path: `${subjectPath}/events/{event}`,
      operationId: operationIds.one,
      about: `An event of one ${subjectType}, with its snapshot.`,
      notes: 'The snapshot is absent if none was kept.',
      response: { 200: eventSchema },
      errors,
      permission,
      query: readEventQuery,
      async handle({ principal, params, query }, deps) {
        const includeGuarded = query.includeGuarded === true
        return eventResponse(await getEvent(deps, { principal, ...params, includeGuarded }), query, {
          db: deps.db,
          principal,
        })
      },
    }),
  ]
}

type Seeing = Pick<EventDeps, 'db'> & { principal: AuthenticatedPrincipal }

async function eventPage(page: Page<EventEntry>, seeing: Seeing): Promise<Response> {
  const users = await seenUsers(page.data, seeing)
  return json(serializePage(page, (entry) => serializeEvent(entry, users)))
}

async function eventResponse(entry: EventEntry, { includeSnapshot }: EventView, seeing: Seeing): Promise<Response> {
  const users = await seenUsers([entry], seeing)
  return json(serializeEvent(includeSnapshot ? entry : { ...entry, snapshot: null }, users))
}

/** Only users may see which users changed something; tokens may not. */
async function seenUsers(entries: readonly EventEntry[], { db, principal }: Seeing): Promise<UserNames | null> {
  return principal.mode === 'user' ? readUserNames(db, principal.accountId, userIdsOf(entries)) : null
}

/** `includeSnapshot` does not change which entries there are, so a cursor is valid with and without it. */
function eventQuery({ stream, type, startAt, endAt, includeSnapshot, ...pageQuery }: EventsQuery): EventQuery {
  const filters = setFilters<EventFilters>({ stream, type, startAt, endAt })
  return {
    filters,
    request: pageRequest(pageQuery, { direction: 'desc', filters }),
    snapshots: includeSnapshot === true,
  }
}
