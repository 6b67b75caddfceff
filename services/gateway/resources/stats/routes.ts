import type { Permission } from '#shared/domain/access/permission-rule.ts'
import { maxHourly } from '#shared/domain/hours.ts'
import { ok } from '../../request/response.ts'
import { type Route, route } from '../../request/route.ts'
import { aliasErrors } from '../items/schemas.ts'
import type { StatsDeps } from './context.ts'
import { getAccountStats } from './get-account-stats.ts'
import { getIdentityStats, getListStats, getSubjectStats } from './get-stats.ts'
import { accountStatsSchema, listStatsSchema, statsQuery, statsSchema } from './schemas.ts'

const newest =
  'Days are in UTC, today last. At most the newest 10,000 events are counted; if there may be more, the counts are complete from `countedSince` on.'

/** How much happens in an account, in a list, or to an item, an index or an identity (contract 2.1, 2.3, 2.5). */
export const statsRoutes: readonly Route<StatsDeps>[] = [
  route({
    method: 'GET',
    path: '/stats',
    operationId: 'getAccountStats',
    about: 'How much happened in the account in the last 24 hours, hour by hour.',
    notes: `Hours are in UTC, the current one last. Except for requests, each number counts up to ${maxHourly.toLocaleString('en')}. Requests appear about ten seconds late. Deliveries and runs count in the hour in which they began, once they have ended.`,
    response: { 200: accountStatsSchema },
    permission: 'user',
    async handle({ principal }, deps) {
      return ok(await getAccountStats(deps, principal.accountId))
    },
  }),
  route({
    method: 'GET',
    path: '/lists/{list}/stats',
    operationId: 'getListStats',
    about: 'How much happens in a list, day by day.',
    notes:
      'Days are in UTC, today last. They count the whole list, even if the token may view only a part of it. The newest 20,000 events of all lists of the account are examined; if there may be more, the counts are complete from `countedSince` on.',
    response: { 200: listStatsSchema },
    permission: viewWithStats('list'),
    query: statsQuery,
    async handle({ principal, params, query }, deps) {
      return ok(await getListStats(deps, { principal, ...params, ...query }))
    },
  }),
  route({
    method: 'GET',
    path: '/lists/{list}/items/{item}/stats',
    operationId: 'getItemStats',
    about: 'How much happens to an item, day by day.',
    notes: `A deleted item has stats as long as its events are kept. ${newest}`,
    response: { 200: statsSchema },
    errors: aliasErrors,
    permission: viewWithStats('item'),
    query: statsQuery,
    async handle({ principal, params, query }, deps) {
      return ok(await getSubjectStats(deps, { principal, ...params, ...query }))
    },
  }),
  route({
    method: 'GET',
    path: '/lists/{list}/indexes/{index}/stats',
    operationId: 'getIndexStats',
    about: 'How much happens to an index, day by day.',
    notes: newest,
    response: { 200: statsSchema },
    permission: viewWithStats('index'),
    query: statsQuery,
    async handle({ principal, params, query }, deps) {
      return ok(await getSubjectStats(deps, { principal, ...params, ...query }))
    },
  }),
  route({
    method: 'GET',
    path: '/identities/{identity}/stats',
    operationId: 'getIdentityStats',
    about: 'How much happens to an identity, day by day.',
    notes: newest,
    response: { 200: statsSchema },
    permission: viewWithStats('identity'),
    query: statsQuery,
    async handle({ principal, params, query }, deps) {
      return ok(await getIdentityStats(deps, { principal, ...params, ...query }))
    },
  }),
]

/** Stats need a permission of their own. */
function viewWithStats(subject: 'list' | 'item' | 'index' | 'identity'): Permission[] {
  return [subject, 'stats' as const].map((resourceType) => ({ action: 'view', resourceType }))
}
