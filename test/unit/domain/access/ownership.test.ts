import test from 'ava'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import {
  couldEverBePermitted,
  draftVisibility,
  type ItemVisibility,
  isPermitted,
  itemVisibility,
  mayKnowDraft,
  type OwnedAccessRequest,
} from '#shared/domain/access/ownership.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'

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
  mode: 'allow',
  action,
  ...rest,
})
const block = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'block',
  action,
  ...rest,
})
const powers = (
  rules: PermissionRule[],
  identity: { id: string; groupName: string | null } | null = { id: me, groupName: 'staff' },
) => ({
  permissions: compilePermissions(rules),
  identity,
})
const view = (rest: Partial<OwnedAccessRequest> = {}): OwnedAccessRequest => ({
  action: 'view',
  resourceType: 'item',
  listId: list,
  itemId: first,
  ownerId: me,
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
    'view-with-identity does not let it see an item without an owner',
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
  test(`${claim}: ${expected ? 'allowed' : 'rejected'}`, (t) => t.is(isPermitted(powers(rules), question), expected))
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

const updates: [claim: string, rules: PermissionRule[]][] = [
  ['no updates', []],
  ['updates of all items', [allow('update')]],
  ['updates of own items', [allow('update-with-identity')]],
  ['updates of two items', [allow('update', { itemIds: [first, third] })]],
  ['updates of all but one item', [allow('update'), block('update', { itemIds: [second] })]],
]

function isIn({ regardlessOfOwner, owned }: ItemVisibility, itemId: string, ownerId: string | null): boolean {
  const has = ({ rest, except }: { rest: boolean; except: readonly string[] }) => rest !== except.includes(itemId)
  return has(regardlessOfOwner) || (owned !== null && ownerId === owned.identityId && has(owned))
}

test('sight and permission agree on every item, a draft or not', (t) => {
  const cases = selections.flatMap(([claim, rules]) =>
    updates.map(([more, updating]) => ({ claim: `${claim}, ${more}`, rules: [...rules, ...updating] })),
  )
  for (const { claim, rules } of cases) {
    for (const grant of [powers(rules), powers(rules, null)]) {
      for (const itemId of [first, second, third]) {
        for (const ownerId of [me, other, null]) {
          const mayView = isPermitted(grant, view({ itemId, ownerId }))
          t.is(isIn(itemVisibility(grant, list), itemId, ownerId), mayView, claim)
          const knows = mayKnowDraft(grant, { listId: list, itemId, ownerId })
          t.is(isIn(draftVisibility(grant, list), itemId, ownerId), mayView && knows, claim)
        }
      }
    }
  }
})

test('a draft is known to those who may update it and to its owner, whatever else the rules say', (t) => {
  const knows = (rules: PermissionRule[], ownerId: string | null, acts = true) =>
    mayKnowDraft(acts ? powers(rules) : powers(rules, null), { listId: list, itemId: first, ownerId })
  t.true(knows([], me))
  t.false(knows([allow('view')], other))
  t.false(knows([allow('view'), allow('update-with-identity')], other))
  t.true(knows([allow('update')], other))
  t.false(knows([allow('view'), allow('delete')], null, false))
  t.true(knows([allow('update', { itemIds: [first] })], null, false))
})

// Looked for among each other they would take minutes.
test('half a million named items are gone through once', (t) => {
  const rules = Array.from({ length: 500 }, (_, rule) =>
    block('view', { itemIds: Array.from({ length: 1_000 }, (_, n) => `${rule}-${n}`) }),
  )
  const { permissions } = powers([allow('view'), ...rules])
  t.is(itemVisibility({ permissions, identity: null }, list).regardlessOfOwner.except.length, 500_000)
})
