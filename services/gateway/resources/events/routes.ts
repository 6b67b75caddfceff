import Joi from 'joi'
import type { EventQuery } from '#shared/data/events/event-log.ts'
import type { EventFilters } from '#shared/data/events/event-ranges.ts'
import { serializeEvent } from '#shared/domain/event.ts'
import { type PageQuery, pageRequest, serializePage } from '../../http/page-schemas.ts'
import { queryBoolean } from '../../http/query.ts'
import type { AuthenticatedPrincipal, UserPrincipal } from '../../request/principal.ts'
import type { ApiRequest, Route } from '../../request/route.ts'
import type { EventDeps } from './context.ts'
import type { EventSubjectRequest } from './event-subject.ts'
import { getEvent, listAccountEvents, listEvents } from './list-events.ts'
import { accountEventsQuery, eventsQuery } from './schemas.ts'

/** The event log of the account (contract 2.6), and of one list, item or index (contract 2.1 to 2.3). */
export const eventRoutes: readonly Route<EventDeps>[] = [
  {
    method: 'GET',
    path: '/events',
    permission: 'user',
    query: accountEventsQuery,
    async handle({ principal, query }, deps) {
      const page = await listAccountEvents(deps, { principal: principal as UserPrincipal, query: eventQuery(query) })
      return { status: 200, json: serializePage(page, serializeEvent) }
    },
  },
  ...eventsOf('/lists/{list}', 'list'),
  ...eventsOf('/lists/{list}/items/{item}', 'item'),
  ...eventsOf('/lists/{list}/indexes/{index}', 'index'),
]

function eventsOf(subjectPath: string, subjectType: 'list' | 'item' | 'index'): Route<EventDeps>[] {
  const permission = [subjectType, 'event' as const].map((resourceType) => ({ action: 'view' as const, resourceType }))
  return [
    {
      method: 'GET',
      path: `${subjectPath}/events`,
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
      permission,
      query: Joi.object({ includeGuarded: queryBoolean() }),
      async handle(request, deps) {
        const { event = '' } = request.params
        return { status: 200, json: serializeEvent(await getEvent(deps, { ...parseParams(request), event })) }
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
