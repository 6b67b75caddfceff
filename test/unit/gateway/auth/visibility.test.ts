import test from 'ava'
import { visibilityFor } from '#services/gateway/auth/visibility.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

const listId = '01900000-0000-7000-8000-00000000000a'
const list = { id: listId, indexes: [] }
const item = '01900000-0000-7000-8000-00000000000c'
const me = {
  id: '01900000-0000-7000-8000-000000000001',
  displayName: 'Me',
  groupName: null,
  groupIsAmbiguous: false,
  name: 'me',
  tags: [],
}
const own = { kind: 'own', identityId: me.id }

function token(rules: PermissionRule[], identity: typeof me | null = me): AuthenticatedPrincipal {
  const actor = { authMode: 'token', tokenId: 't', identityId: identity?.id ?? null } as const
  return {
    mode: 'token',
    accountId: 'a',
    limits: null,
    rates: null,
    tokenId: 't',
    tokenTags: [],
    askedAt: 0,
    perMinute: null,
    permissions: compilePermissions(rules),
    identity,
    actor,
  }
}

const allow = (action: PermissionRule['action'], rest: object = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...rest,
})

test('a user sees all items', (t) => {
  const actor = { authMode: 'user', tokenId: null, identityId: null } as const
  t.deepEqual(
    visibilityFor(
      { mode: 'user', accountId: 'a', limits: null, rates: null, userId: 'u', sessionId: 's', actor },
      list,
    ),
    {
      kind: 'all',
    },
  )
})

const table: [rules: PermissionRule[], withIdentity: object, without: object][] = [
  [[], { kind: 'none' }, { kind: 'none' }],
  [[allow('view')], { kind: 'all' }, { kind: 'all' }],
  [[allow('view-with-identity')], own, { kind: 'none' }],
  [[allow('view'), allow('view-with-identity')], { kind: 'all' }, { kind: 'all' }],
  [[allow('view-with-identity', { listIds: [me.id] })], { kind: 'none' }, { kind: 'none' }],
]
for (const [rules, withIdentity, without] of table) {
  test(`with ${rules.map(({ action }) => action)}: ${JSON.stringify(withIdentity)}, without identity ${JSON.stringify(without)}`, (t) => {
    t.deepEqual(visibilityFor(token(rules), list) as object, withIdentity)
    t.deepEqual(visibilityFor(token(rules, null), list) as object, without)
  })
}

test('rules that name items select them', (t) => {
  const sight = visibilityFor(token([allow('view', { itemIds: [item] }), allow('view-with-identity')]), list)
  t.deepEqual(sight, {
    kind: 'byId',
    byId: { regardlessOfOwner: { rest: false, except: [item] }, owned: { rest: true, except: [], identityId: me.id } },
  })
})

test('blocked items of the caller do not matter if it may see all items', (t) => {
  const rules: PermissionRule[] = [allow('*'), { mode: 'block', action: 'view-with-identity', itemIds: [item] }]
  t.deepEqual(visibilityFor(token(rules), list), { kind: 'all' })
})
