import type { EventQuery } from '#shared/data/events/event-log.ts'
import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import type { Permission } from '#shared/domain/access/permission-rule.ts'
import { type EventEntry, serializeEvent } from '#shared/domain/event.ts'
import type { DescribedRoute } from '../../request/described-route.ts'
import type { AuthenticatedPrincipal, UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Response } from '../../request/route.ts'
import { type PageQuery, pageRequest, serializePage } from '../../schemas/page-schemas.ts'
import { pageOf } from '../../schemas/response-schemas.ts'
import type { IdentityRequest } from '../identities/management/load-identity.ts'
import { aliasErrors } from '../items/schemas.ts'
import type { EventDeps } from './context.ts'
import type { EventSubjectRequest } from './event-subject.ts'
import { getIdentityEvent, listIdentityEvents } from './identity-events.ts'
import { getEvent, listAccountEvents, listEvents } from './list-events.ts'
import {
  accountEventsQuery,
  eventSchema,
  eventsQuery,
  identityEventsQuery,
  readEventQuery,
  readIdentityEventQuery,
} from './schemas.ts'

/** The event log of the account (contract 2.6), and of one list, item, index or identity (contract 2.1 to 2.5). */
export const eventRoutes: readonly DescribedRoute<EventDeps>[] = [
  {
    method: 'GET',
    path: '/events',
    operationId: 'listAccountEvents',
    about: 'A page of the event log of the account.',
    notes: 'The newest come first. Entries are deleted after 90 days, unless the operator has set another time.',
    response: { 200: pageOf(eventSchema) },
    permission: 'user',
    query: accountEventsQuery,
    async handle({ principal, query }, deps) {
      const page = await listAccountEvents(deps, { principal: principal as UserPrincipal, query: eventQuery(query) })
      return { status: 200, json: serializePage(page, serializeEvent) }
    },
  },
  ...eventsOf('/lists/{list}', 'list', { page: 'listListEvents', one: 'getListEvent' }),
  ...eventsOf('/lists/{list}/items/{item}', 'item', { page: 'listItemEvents', one: 'getItemEvent' }),
  ...eventsOf('/lists/{list}/indexes/{index}', 'index', { page: 'listIndexEvents', one: 'getIndexEvent' }),
  {
    method: 'GET',
    path: '/identities/{identity}/events',
    operationId: 'listIdentityEvents',
    about: 'A page of the events of one identity.',
    notes: 'The events of a deleted identity are in the event log of the account.',
    response: { 200: pageOf(eventSchema) },
    permission: viewWithEvents('identity'),
    query: identityEventsQuery,
    async handle(request, deps) {
      const subject = parseIdentity(request)
      const page = await listIdentityEvents(deps, { ...subject, query: eventQuery(request.query) })
      return { status: 200, json: serializePage(page, serializeEvent) }
    },
  },
  {
    method: 'GET',
    path: '/identities/{identity}/events/{event}',
    operationId: 'getIdentityEvent',
    about: 'An event of one identity, with its snapshot.',
    notes: 'The snapshot is absent where none was kept.',
    response: { 200: eventSchema },
    permission: viewWithEvents('identity'),
    query: readIdentityEventQuery,
    async handle(request, deps) {
      const { event = '' } = request.params
      return eventResponse(await getIdentityEvent(deps, { ...parseIdentity(request), event }), request)
    },
  },
]

/** Events also need a permission of their own. */
function viewWithEvents(subjectType: 'list' | 'item' | 'index' | 'identity'): Permission[] {
  return [subjectType, 'event' as const].map((resourceType) => ({ action: 'view', resourceType }))
}

function eventsOf(
  subjectPath: string,
  subjectType: 'list' | 'item' | 'index',
  operationIds: { page: string; one: string },
): DescribedRoute<EventDeps>[] {
  const errors = subjectType === 'item' ? aliasErrors : []
  const permission = viewWithEvents(subjectType)
  return [
    {
      method: 'GET',
      path: `${subjectPath}/events`,
      operationId: operationIds.page,
      about: `A page of the events of one ${subjectType}.`,
      notes: 'The newest come first. `includeSnapshot=true` adds the resource as it was after each event.',
      response: { 200: pageOf(eventSchema) },
      errors,
      permission,
      query: eventsQuery,
      async handle(request, deps) {
        const page = await listEvents(deps, { ...parseParams(request), query: eventQuery(request.query) })
        return { status: 200, json: serializePage(page, serializeEvent) }
      },
    },
    {
      method: 'GET',
      path: `${subjectPath}/events/{event}`,
      operationId: operationIds.one,
      about: `An event of one ${subjectType}, with its snapshot.`,
      notes: 'The snapshot is absent where none was kept.',
      response: { 200: eventSchema },
      errors,
      permission,
      query: readEventQuery,
      async handle(request, deps) {
        const { event = '' } = request.params
        return eventResponse(await getEvent(deps, { ...parseParams(request), event }), request)
      },
    },
  ]
}

function parseParams({ principal, params: { list = '', item, index }, query }: ApiRequest): EventSubjectRequest {
  return {
    principal: principal as AuthenticatedPrincipal,
    list,
    item,
    index,
    includeGuarded: query.includeGuarded === true,
  }
}

function parseIdentity({ principal, params: { identity = '' } }: ApiRequest): IdentityRequest {
  return { principal: principal as AuthenticatedPrincipal, identity }
}

function eventResponse(entry: EventEntry, { query }: ApiRequest): Response {
  return { status: 200, json: serializeEvent(query.includeSnapshot === true ? entry : { ...entry, snapshot: null }) }
}

/** `includeSnapshot` does not change which entries there are, so a cursor is valid with and without it. */
function eventQuery(query: Record<string, unknown>): EventQuery {
  const { stream, type, startAt, endAt, includeSnapshot, ...pageQuery } = query as PageQuery & Record<string, unknown>
  const set = Object.entries({ stream, type, startAt, endAt }).filter(([, filter]) => filter !== undefined)
  const filters = Object.fromEntries(set) as EventFilters
  return {
    filters,
    request: pageRequest(pageQuery, { direction: 'desc', filters }),
    snapshots: includeSnapshot === true,
  }
}
