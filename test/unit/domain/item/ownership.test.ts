import test from 'ava'
import {
  couldEverBePermitted,
  isPermitted,
  itemVisibility,
  type OwnedAccessRequest,
} from '#shared/domain/item/ownership.ts'
import type { PermissionRule } from '#shared/domain/permission-rule.ts'
import { compilePermissions } from '#shared/domain/permissions.ts'

const me = '01900000-0000-7000-8000-000000000001'
const other = '01900000-0000-7000-8000-000000000002'
const list = '01900000-0000-7000-8000-00000000000a'
const elsewhere = '01900000-0000-7000-8000-00000000000b'
const [first, second, third] = ['1', '2', '3'].map((n) => `01900000-0000-7000-8000-0000000000c${n}`) as [
  string,
  string,
  string,
]

const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  ...{ mode: 'allow', action },
  ...rest,
})
const block = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  ...{ mode: 'block', action },
  ...rest,
})
const powers = (
  rules: PermissionRule[],
  identity: { id: string; groupName: string | null } | null = { id: me, groupName: 'staff' },
) => ({
  ...{ permissions: compilePermissions(rules), identity },
})
const view = (rest: Partial<OwnedAccessRequest> = {}): OwnedAccessRequest => ({
  ...{ action: 'view', resourceType: 'item', listId: list, itemId: first, ownerId: me },
  ...rest,
})

const table: [claim: string, rules: PermissionRule[], question: OwnedAccessRequest, expected: boolean][] = [
  ['view-with-identity lets it see its own item', [allow('view-with-identity')], view(), true],
  [
    "view-with-identity does not let it see another's item",
    [allow('view-with-identity')],
    view({ ownerId: other }),
    false,
  ],
  [
    'view-with-identity does not let it see an item of nobody',
    [allow('view-with-identity')],
    view({ ownerId: null }),
    false,
  ],
  ["view lets it see another's item", [allow('view')], view({ ownerId: other }), true],
  ['blocking view leaves view-with-identity', [allow('*'), block('view')], view(), true],
  ['blocking view-with-identity leaves view', [allow('*'), block('view-with-identity')], view(), true],
  ['both blocked', [allow('*'), block('view'), block('view-with-identity')], view(), false],
  ['view-with-identity is not update-with-identity', [allow('view-with-identity')], view({ action: 'update' }), false],
  [
    'create-with-identity lets it create',
    [allow('create-with-identity')],
    { action: 'create', resourceType: 'item', listId: list },
    true,
  ],
  [
    'create-with-identity in another list',
    [allow('create-with-identity', { listIds: [elsewhere] })],
    { action: 'create', resourceType: 'item', listId: list },
    false,
  ],
  [
    'create-with-identity does not make lists',
    [allow('create-with-identity')],
    { action: 'create', resourceType: 'list' },
    false,
  ],
  ['a rule for its group', [allow('view-with-identity', { groups: ['staff'] })], view(), true],
  ['a rule for another group', [allow('view-with-identity', { groups: ['guests'] })], view(), false],
  ['a rule for it alone', [allow('view-with-identity', { identityIds: [me] })], view(), true],
  ['a rule for another identity alone', [allow('view-with-identity', { identityIds: [other] })], view(), false],
  [
    'restore-with-identity with view-with-identity',
    [allow('restore-with-identity'), allow('view-with-identity')],
    view({ action: 'restore' }),
    true,
  ],
  ['restore-with-identity alone', [allow('restore-with-identity')], view({ action: 'restore' }), false],
  [
    'authenticate has no such form',
    [allow('view-with-identity')],
    { action: 'authenticate', resourceType: 'identity', identityId: me },
    false,
  ],
]
for (const [claim, rules, question, expected] of table) {
  test(`${claim}: ${expected ? 'allowed' : 'refused'}`, (t) => t.is(isPermitted(powers(rules), question), expected))
}

const possibilities: [claim: string, rules: PermissionRule[], expected: boolean][] = [
  ['rules that select it', [allow('view-with-identity', { identityIds: [me], groups: ['staff'] })], true],
  ['rules that select another identity', [allow('view-with-identity', { identityIds: [other] })], false],
  ['rules that select another group', [allow('view-with-identity', { groups: ['guests'] })], false],
  ['rules of which one blocks it', [allow('view-with-identity'), block('*', { identityIds: [me] })], false],
  ['rules of which one blocks another', [allow('view-with-identity'), block('*', { identityIds: [other] })], true],
  ['rules that select identities, of a plain action', [allow('view', { identityIds: [me] })], false],
]
for (const [claim, rules, expected] of possibilities) {
  test(`whether an identity may ever view an item, by ${claim}: ${expected}`, (t) =>
    t.is(couldEverBePermitted(powers(rules), 'view', 'item'), expected))
}

test('without identity headers the -with-identity rules allow nothing', (t) => {
  const rules = [allow('view-with-identity'), allow('create-with-identity')]
  t.false(isPermitted(powers(rules, null), view()))
  t.false(isPermitted(powers(rules, null), { action: 'create', resourceType: 'item', listId: list }))
  t.false(couldEverBePermitted(powers(rules, null), 'view', 'item'))
  t.true(couldEverBePermitted(powers(rules), 'view', 'item'))
  t.false(couldEverBePermitted(powers(rules), 'view', 'list'))
})

const none = { rest: false, except: [] }
const all = { rest: true, except: [] }
const selections: [claim: string, rules: PermissionRule[], regardlessOfOwner: object, own: object][] = [
  ['no rules', [], none, none],
  ['view', [allow('view')], all, none],
  ['view-with-identity', [allow('view-with-identity')], none, all],
  ['*', [allow('*')], all, all],
  ['view elsewhere', [allow('view', { listIds: [elsewhere] })], none, none],
  ['view of lists', [allow('view', { resourceType: 'list' })], none, none],
  ['two items alone', [allow('view', { itemIds: [first, second] })], { rest: false, except: [first, second] }, none],
  ['all but one', [allow('view'), block('view', { itemIds: [first] })], { rest: true, except: [first] }, none],
  ['a block of one before an allow of all', [block('view', { itemIds: [first] }), allow('view')], all, none],
  [
    'one allowed, blocked and allowed again',
    [allow('view', { itemIds: [first] }), block('*', { itemIds: [first] }), allow('view', { itemIds: [first] })],
    { rest: false, except: [first] },
    none,
  ],
  [
    'a narrow allow after a wide block',
    [allow('view'), block('view'), allow('view', { itemIds: [third] })],
    { rest: false, except: [third] },
    none,
  ],
  ['items of another list', [allow('view', { itemIds: [first], listIds: [elsewhere] })], none, none],
  [
    'own but one',
    [allow('view-with-identity'), block('view-with-identity', { itemIds: [first] })],
    none,
    { rest: true, except: [first] },
  ],
]
for (const [claim, rules, regardlessOfOwner, own] of selections) {
  test(`the items of a list that are seen: ${claim}`, (t) => {
    t.deepEqual(itemVisibility(powers(rules), list), { regardlessOfOwner, owned: { ...own, identityId: me } } as never)
    t.deepEqual(itemVisibility(powers(rules, null), list), { regardlessOfOwner, owned: null } as never)
  })
}

test('sight and permission agree on every item', (t) => {
  for (const [, rules] of selections) {
    const { regardlessOfOwner, owned: own } = itemVisibility(powers(rules), list)
    for (const itemId of [first, second, third]) {
      for (const ownerId of [me, other, null]) {
        const seen = regardlessOfOwner.rest !== regardlessOfOwner.except.includes(itemId)
        const seenAsOwner = ownerId === me && own !== null && own.rest !== own.except.includes(itemId)
        t.is(seen || seenAsOwner, isPermitted(powers(rules), view({ itemId, ownerId })))
      }
    }
  }
})

// Looked for among each other they would take minutes.
test('half a million named items are gone through once', (t) => {
  const rules = Array.from({ length: 500 }, (_, rule) =>
    block('view', { itemIds: Array.from({ length: 1_000 }, (_, n) => `${rule}-${n}`) }),
  )
  const { permissions } = powers([allow('view'), ...rules])
  t.is(itemVisibility({ permissions, identity: null }, list).regardlessOfOwner.except.length, 500_000)
})
