import test from 'ava'
import { authorize, isAllowed } from '#services/gateway/auth/authorize.ts'
import type { KnownCaller } from '#services/gateway/auth/caller.ts'
import type { PermissionRule } from '#shared/domain/permission-rule.ts'
import { compilePermissions, type Question } from '#shared/domain/permissions.ts'

const mine = '01900000-0000-7000-8000-000000000001'
const other = '01900000-0000-7000-8000-000000000002'
const updateItem = (listId: string): Question => ({ action: 'update', resourceType: 'item', listId })

function token(...rules: PermissionRule[]): KnownCaller {
  const permissions = compilePermissions(rules)
  const actor = { authMode: 'token', tokenId: 't', identityId: null } as const
  return { mode: 'token', accountId: 'a', tokenId: 't', permissions, actor }
}

const user: KnownCaller = {
  ...{ mode: 'user', accountId: 'a', userId: 'u', sessionId: 's' },
  actor: { authMode: 'user', tokenId: null, identityId: null },
}

test('a user may do everything in the account', (t) => {
  t.notThrows(() => authorize(user, updateItem(mine)))
  t.true(isAllowed(user, updateItem(mine)))
})

test('a token may do what its rules allow', (t) => {
  t.notThrows(() => authorize(token({ mode: 'allow', action: 'update' }), updateItem(mine)))
})

test('403 when no rule could ever allow it', (t) => {
  for (const caller of [token(), token({ mode: 'allow', action: 'view', listIds: [other] })]) {
    t.throws(() => authorize(caller, updateItem(mine)), { name: 'TOKEN_NOT_AUTHORIZED' })
  }
})

test('403 when the token may view the resource but not do this', (t) => {
  const caller = token({ mode: 'allow', action: 'update', listIds: [other] }, { mode: 'allow', action: 'view' })
  t.throws(() => authorize(caller, updateItem(mine)), { name: 'TOKEN_NOT_AUTHORIZED' })
})

test('404 when the token may do it elsewhere and not even view it here', (t) => {
  const caller = token({ mode: 'allow', action: '*', listIds: [other] })
  t.throws(() => authorize(caller, updateItem(mine)), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
  const view: Question = { action: 'view', resourceType: 'item', listId: mine }
  t.throws(() => authorize(caller, view), { name: 'REQUESTED_ENTITY_NOT_FOUND' })
})
