import test from 'ava'
import { authorize, isAllowed, isAllowedForAny } from '#services/gateway/auth/authorize.ts'
import { visibilityFor, visibleLists } from '#services/gateway/auth/visibility.ts'
import type { AuthenticatedPrincipal, RoutePermission } from '#services/gateway/request/principal.ts'
import { ok } from '#services/gateway/request/response.ts'
import type { Route } from '#services/gateway/request/route.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { startGateway } from '../../support/http/gateway.ts'
import { testRoute } from '../../support/http/test-route.ts'
import { collectTeardowns } from '../../support/test-context/teardown.ts'

const viewList = { action: 'view', resourceType: 'list' } as const
const viewItem = { action: 'view', resourceType: 'item' } as const

type Ask = (principal: AuthenticatedPrincipal) => unknown
type Scenario = { permission: RoutePermission; ask: Ask; says: string | null; rules?: PermissionRule[] }

const scenarios: Record<string, Scenario> = {
  'a handler that checks nothing': {
    permission: viewList,
    ask: () => {},
    says: 'GET /things/{thing} answered an API token without asking whether its rules allow it to view list',
  },
  'a handler that checks another permission': {
    permission: viewList,
    ask: (principal) => authorize(principal, viewItem),
    says: 'GET /things/{thing} answered an API token without asking whether its rules allow it to view list',
  },
  'a handler that ignores the result': {
    permission: viewItem,
    ask: (principal) => isAllowed(principal, { ...viewItem, itemId: 'another' }),
    rules: [{ mode: 'allow', ...viewItem, itemIds: ['one'] }],
    says: 'GET /things/{thing} answered an API token without asking whether its rules allow it to view item',
  },
  'a handler that checks one of two': {
    permission: [viewList, viewItem],
    ask: (principal) => authorize(principal, viewItem),
    says: 'GET /things/{thing} answered an API token without asking whether its rules allow it to view list',
  },
  'a handler that checks with authorize': {
    permission: viewItem,
    ask: (principal) => authorize(principal, viewItem),
    says: null,
  },
  'a handler that checks with isAllowed': {
    permission: viewItem,
    ask: (principal) => isAllowed(principal, viewItem),
    says: null,
  },
  'a handler that checks whether any list is allowed': {
    permission: viewList,
    ask: (principal) => isAllowedForAny(principal, viewList),
    says: null,
  },
  'a handler that shows only visible resources on a page': {
    permission: [viewList, viewItem],
    ask: (principal) => [visibleLists(principal), visibilityFor(principal, { id: 'some list', indexes: [] })],
    says: null,
  },
  'a permission that only some bodies need': {
    permission: { always: [viewItem], byBody: [viewList] },
    ask: (principal) => authorize(principal, viewItem),
    says: null,
  },
  'a route for all authenticated callers': { permission: 'authenticated', ask: () => {}, says: null },
  'a public route': { permission: 'public', ask: () => {}, says: null },
}

for (const [what, { permission, ask, says, rules }] of Object.entries(scenarios)) {
  test(`${what}: ${says === null ? 'the answer is sent' : 'the answer is 500, and the test fails'}`, async (t) => {
    const cleanup = collectTeardowns()
    const gateway = await startGateway(cleanup, { routes: [routeThat(permission, ask)] })
    const { token, user } = await makeAccount(gateway.deps.db)
    const send = (headers: Record<string, string>) => call(gateway.port, { path: '/things/1', headers })
    t.is((await send(user)).status, 200, 'a user may do everything')
    t.is((await send(await token(rules))).status, says === null ? 200 : 500)
    if (says === null) await cleanup.run()
    else t.is((await t.throwsAsync(() => cleanup.run())).message, says)
  })
}

function routeThat(permission: RoutePermission, ask: Ask): Route {
  return testRoute({
    method: 'GET',
    path: '/things/{thing}',
    permission,
    async handle({ principal }) {
      ask(principal as AuthenticatedPrincipal)
      return ok({})
    },
  })
}
