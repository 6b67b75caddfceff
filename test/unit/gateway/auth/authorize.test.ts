import test from 'ava'
import { authorize, createRouteCheck, isAllowed } from '#services/gateway/auth/authorize.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '#services/gateway/request/principal.ts'
import { type AccessRequest, compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

const mine = '01900000-0000-7000-8000-000000000001'
const other = '01900000-0000-7000-8000-000000000002'
const updateItem = (listId: string): AccessRequest => ({ action: 'update', resourceType: 'item', listId })

function token(...rules: PermissionRule[]): TokenPrincipal {
  const permissions = compilePermissions(rules)
  const actor = { authMode: 'token', tokenId: 't', identityId: null } as const
  return {
    mode: 'token',
    accountId: 'a',
    limits: null,
    rates: null,
    tokenId: 't',
    tokenTags: [],
    askedAt: 0,
    perMinute: null,
    permissions,
    identity: null,
    actor,
  }
}

const user: AuthenticatedPrincipal = {
  mode: 'user',
  accountId: 'a',
  limits: null,
  rates: null,
  userId: 'u',
  sessionId: 's',
  actor: { authMode: 'user', tokenId: null, identityId: null },
}

test('a user may do everything in the account', (t) => {
  t.notThrows(() => authorize(user, updateItem(mine)))
  t.true(isAllowed(user, updateItem(mine)))
})

test('a token may do what its rules allow', (t) => {
  t.notThrows(() => authorize(token({ mode: 'allow', action: 'update' }), updateItem(mine)))
})

test('403 if no rule could ever allow the action', (t) => {
  for (const caller of [token(), token({ mode: 'allow', action: 'view', listIds: [other] })]) {
    t.throws(() => authorize(caller, updateItem(mine)), { name: 'TOKEN_NOT_AUTHORIZED' })
  }
})

test('403 if the token may view the resource but not perform the action', (t) => {
  const caller = token({ mode: 'allow', action: 'update', listIds: [other] }, { mode: 'allow', action: 'view' })
  t.throws(() => authorize(caller, updateItem(mine)), { name: 'TOKEN_NOT_AUTHORIZED' })
})

test('404 if the token may perform the action elsewhere but not even view the resource here', (t) => {
  const caller = token({ mode: 'allow', action: '*', listIds: [other] })
  t.throws(() => authorize(caller, updateItem(mine)), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
  const view: AccessRequest = { action: 'view', resourceType: 'item', listId: mine }
  t.throws(() => authorize(caller, view), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
})

const me = '01900000-0000-7000-8000-000000000003'
const withIdentity = (...rules: PermissionRule[]): AuthenticatedPrincipal => ({
  ...token(...rules),
  identity: { id: me, displayName: 'Me', groupName: null, groupIsAmbiguous: false, name: 'me', tags: [] },
})
const owned = (ownerId: string | null) => ({ ...updateItem(mine), ownerId })

test('an owner may do what the -with-identity rules allow', (t) => {
  t.notThrows(() => authorize(withIdentity({ mode: 'allow', action: 'update-with-identity' }), owned(me)))
  t.true(isAllowed(withIdentity({ mode: 'allow', action: 'update-with-identity' }), owned(me)))
})

test("404 for another's item if only -with-identity rules allow it", (t) => {
  const caller = withIdentity({ mode: 'allow', action: 'update-with-identity' })
  for (const ownerId of [other, null]) {
    t.throws(() => authorize(caller, owned(ownerId)), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
  }
})

test("403 for another's item that it may view", (t) => {
  const caller = withIdentity({ mode: 'allow', action: 'update-with-identity' }, { mode: 'allow', action: 'view' })
  t.throws(() => authorize(caller, owned(other)), { name: 'TOKEN_NOT_AUTHORIZED' })
})

test('403 for an item of the caller that it may view but never update', (t) => {
  const caller = withIdentity({ mode: 'allow', action: 'view-with-identity' })
  t.throws(() => authorize(caller, owned(me)), { name: 'TOKEN_NOT_AUTHORIZED' })
})

const view = { action: 'view', resourceType: 'list' } as const
const update = { action: 'update', resourceType: 'list' } as const
const missing = (...permissions: object[]) => ({ name: 'TOKEN_NOT_AUTHORIZED', details: { missing: permissions } })

test('a route that needs several permissions rejects a token whose rules do not allow each of them', (t) => {
  const check = createRouteCheck([view, update])
  t.like(
    t.throws(() => check(token({ mode: 'allow', action: 'view' }))),
    missing(update),
  )
  t.like(
    t.throws(() => check(token())),
    missing(view, update),
  )
  for (const principal of [token({ mode: 'allow', action: '*', listIds: [other] }), user])
    t.notThrows(() => check(principal))
})

test('a permission that only some bodies need is not checked before the body, unless the route needs no other', (t) => {
  t.notThrows(() => createRouteCheck({ always: [view], byBody: [update] })(token({ mode: 'allow', action: 'view' })))
  const either = createRouteCheck({ always: [], byBody: [view, update] })
  t.notThrows(() => either(token({ mode: 'allow', action: 'update' })))
  t.like(
    t.throws(() => either(token())),
    missing(view, update),
  )
})

test('public routes and those of the caller itself need no rule', (t) => {
  for (const permission of ['public', 'authenticated', 'user'] as const)
    t.notThrows(() => createRouteCheck(permission)(token()))
  t.notThrows(() => createRouteCheck('public')({ mode: 'anonymous' }))
})
