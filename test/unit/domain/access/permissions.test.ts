import test from 'ava'
import { type AccessRequest, allowsEverything, compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import { type PermissionRule, permissionErrors } from '#shared/domain/access/permission-rule.ts'
import {
  couldEverBeAllowed,
  couldEverBePermitted,
  decide,
  draftVisibility,
  type ItemVisibility,
  isPermitted,
  itemVisibility,
  mayKnowDraft,
  type OwnedAccessRequest,
} from '#shared/domain/access/permissions.ts'
import { selectIdentities } from '#shared/domain/access/selections.ts'

const a = '00000000-0000-7000-8000-00000000000a'
const b = '00000000-0000-7000-8000-00000000000b'
const i = '00000000-0000-7000-8000-000000000001'

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
const view = (question: Partial<AccessRequest> = {}): AccessRequest => ({
  action: 'view',
  resourceType: 'list',
  ...question,
})

const decisions: [claim: string, rules: PermissionRule[], question: AccessRequest, expected: 'allow' | 'block'][] = [
  ['nothing is allowed by default', [], view(), 'block'],
  ['a rule for another action does not match', [allow('update')], view(), 'block'],
  ['an absent resource type means all', [allow('view')], view({ resourceType: 'stats' }), 'allow'],
  ['a resource type means only that', [allow('view', { resourceType: 'item' })], view(), 'block'],
  ['the last rule wins: block', [allow('view'), block('view')], view(), 'block'],
  ['the last rule wins: allow', [block('*'), allow('view')], view(), 'allow'],
  ['a later rule that does not match decides nothing', [allow('view'), block('update')], view(), 'allow'],
  ['a narrow block after a wide allow', [allow('*'), block('view', { listIds: [a] })], view({ listId: a }), 'block'],
  ['a narrow block leaves the others', [allow('*'), block('view', { listIds: [a] })], view({ listId: b }), 'allow'],
  ['a narrow allow after a wide block', [block('*'), allow('view', { listIds: [a] })], view({ listId: a }), 'allow'],
  ['* includes create', [allow('*')], view({ action: 'create' }), 'allow'],
  ['* includes the -with-identity actions', [allow('*')], view({ action: 'view-with-identity' }), 'allow'],
  ['* includes sync-schema', [allow('*')], view({ action: 'sync-schema' }), 'allow'],
  ['* does not include reset-password', [allow('*')], view({ action: 'reset-password' }), 'block'],
  ['* does not include verify-email', [allow('*')], view({ action: 'verify-email' }), 'block'],
  ['reset-password is allowed by name', [allow('reset-password')], view({ action: 'reset-password' }), 'allow'],
  [
    'a blocking * includes reset-password',
    [allow('reset-password'), block('*')],
    view({ action: 'reset-password' }),
    'block',
  ],
  ['X and X-with-identity are different actions', [allow('view-with-identity')], view(), 'block'],
  ['blocking X leaves X-with-identity', [allow('*'), block('view')], view({ action: 'view-with-identity' }), 'allow'],
  ['a selector with * selects everything', [allow('view', { listIds: [a, '*'] })], view({ listId: b }), 'allow'],
  [
    'an allowing selector with * does not cover a resource without such an id',
    [allow('view', { itemIds: ['*'] })],
    view(),
    'block',
  ],
  ['a blocking selector with * does', [allow('view'), block('view', { itemIds: ['*'] })], view(), 'block'],
  ['one of several is enough', [allow('view', { itemIds: ['*'], listIds: ['*'] })], view(), 'allow'],
  ['next to ids it adds nothing', [allow('view', { itemIds: ['*'], listIds: [a] })], view({ listId: a }), 'allow'],
  [
    'a selector does not match a resource without such an id',
    [allow('create', { listIds: [a] })],
    view({ action: 'create' }),
    'block',
  ],
  ['all selectors of a rule must match', [allow('view', { listIds: [a], itemIds: [i] })], view({ listId: a }), 'block'],
  [
    'all selectors match',
    [allow('view', { listIds: [a], itemIds: [i] })],
    view({ resourceType: 'item', listId: a, itemId: i }),
    'allow',
  ],
  [
    'groups select identities',
    [allow('view', { groups: ['x'] })],
    view({ resourceType: 'identity', group: 'x' }),
    'allow',
  ],
  [
    'the ungrouped space is not a group',
    [allow('view', { groups: ['x'] })],
    view({ resourceType: 'identity', group: null }),
    'block',
  ],
  [
    'index ids select indexes',
    [allow('view', { indexIds: [i] })],
    view({ resourceType: 'index', indexId: i }),
    'allow',
  ],
  ['restore also needs view', [allow('restore')], view({ action: 'restore' }), 'block'],
  ['restore with view', [allow('restore'), allow('view')], view({ action: 'restore' }), 'allow'],
  ['view does not imply restore', [allow('view')], view({ action: 'restore' }), 'block'],
  [
    'restore-with-identity also needs view-with-identity',
    [allow('restore-with-identity'), allow('view-with-identity')],
    view({ action: 'restore-with-identity' }),
    'allow',
  ],
]
for (const [claim, rules, question, expected] of decisions) {
  test(`${claim}: ${expected}`, (t) => {
    t.is(decide(compilePermissions(rules), question).allowed, expected === 'allow')
  })
}

type About = Omit<AccessRequest, 'action'>
const things: Record<string, About> = {
  list: { resourceType: 'list', listId: a },
  item: { resourceType: 'item', listId: a, itemId: i },
  index: { resourceType: 'index', listId: a, indexId: i },
  'list events': { resourceType: 'event', listId: a },
  'item events': { resourceType: 'event', listId: a, itemId: i },
  'item stats': { resourceType: 'stats', listId: a, itemId: i },
  'index events': { resourceType: 'event', listId: a, indexId: i },
  'index stats': { resourceType: 'stats', listId: a, indexId: i },
  identity: { resourceType: 'identity', identityId: i, group: null },
  'identity events': { resourceType: 'event', identityId: i, group: 'x' },
  'identity stats': { resourceType: 'stats', identityId: i, group: 'x' },
  flow: { resourceType: 'flow', flowId: i },
}
const covered: Record<string, string[]> = {
  listIds: ['list', 'item', 'index', 'list events', 'item events', 'item stats', 'index events', 'index stats'],
  itemIds: ['item', 'item events', 'item stats'],
  indexIds: ['index', 'index events', 'index stats'],
  flowIds: ['flow'],
  identityIds: ['identity', 'identity events', 'identity stats'],
  groups: ['identity', 'identity events', 'identity stats'],
}
for (const [selector, expected] of Object.entries(covered)) {
  test(`an allow rule with ${selector}: ["*"] covers resources with such an id, and nothing else`, (t) => {
    const permissions = compilePermissions([allow('view', { [selector]: ['*'] })])
    const allowed = Object.entries(things).filter(
      ([, about]) => decide(permissions, { action: 'view', ...about }).allowed,
    )
    t.deepEqual(
      allowed.map(([name]) => name),
      expected,
    )
    for (const { resourceType } of Object.values(things)) {
      const possible = allowed.some(([, about]) => about.resourceType === resourceType)
      t.is(couldEverBeAllowed(permissions, { action: 'view', resourceType }), possible, resourceType)
    }
  })
}

test('identityIds and groups with * cover what owners may do with their own resources', (t) => {
  const own = { action: 'view-with-identity', listId: a, itemId: i, identityId: i, group: null } as const
  for (const selector of ['identityIds', 'groups', 'itemIds', 'listIds']) {
    const permissions = compilePermissions([allow('view-with-identity', { [selector]: ['*'] })])
    for (const resourceType of ['item', 'event'] as const) t.true(decide(permissions, { ...own, resourceType }).allowed)
  }
  t.false(allowsEverything(compilePermissions([allow('*', { listIds: ['*'] })])))
})

const possibilities: [claim: string, rules: PermissionRule[], expected: boolean][] = [
  ['no rule', [], false],
  ['a rule for one list', [allow('view', { listIds: [a] })], true],
  ['a rule for another type', [allow('view', { resourceType: 'list' })], false],
  ['a rule for another action', [allow('update')], false],
  ['allowed, then all blocked', [allow('view'), block('*')], false],
  ['allowed, then one list blocked', [allow('view'), block('view', { listIds: [a] })], true],
  [
    'one list allowed, then that list blocked',
    [allow('view', { listIds: [a] }), block('view', { listIds: [a, b] })],
    false,
  ],
  [
    'two lists allowed, then blocked one by one',
    [allow('view', { listIds: [a, b] }), block('view', { listIds: [a] }), block('*', { listIds: [b] })],
    false,
  ],
  ['two lists allowed, then one blocked', [allow('view', { listIds: [a, b] }), block('view', { listIds: [a] })], true],
  ['a narrower block along another selector', [allow('view', { listIds: [a] }), block('view', { itemIds: [i] })], true],
  [
    'a block that is narrower along one selector',
    [allow('view', { listIds: [a] }), block('view', { listIds: [a], itemIds: [i] })],
    true,
  ],
  [
    'selectors along two properties, one of them wholly blocked',
    [allow('view', { listIds: [a], itemIds: [i] }), block('view', { listIds: [a] })],
    false,
  ],
  ['blocked, then allowed', [block('*'), allow('view', { listIds: [a] })], true],
  ['a block for another type', [allow('view'), block('*', { resourceType: 'list' })], true],
  ['items of any list', [allow('view', { itemIds: [i] })], true],
  ['a selector that only other types have', [allow('view', { indexIds: [i] })], false],
  ['selectors that only identities have', [allow('view', { identityIds: [i] }), allow('*', { groups: ['x'] })], false],
]
for (const [claim, rules, expected] of possibilities) {
  test(`whether a token may ever view an item: ${claim}`, (t) => {
    t.is(couldEverBeAllowed(compilePermissions(rules), { action: 'view', resourceType: 'item' }), expected)
  })
}

test('a token that may never view may never restore', (t) => {
  const restore = { action: 'restore', resourceType: 'item' } as const
  t.false(couldEverBeAllowed(compilePermissions([allow('restore')]), restore))
  t.true(couldEverBeAllowed(compilePermissions([allow('restore'), allow('view')]), restore))
})

test('an allowed question is always one that may ever be allowed', (t) => {
  const rules = decisions.flatMap(([, given]) => given)
  t.deepEqual(permissionErrors(rules), [])
  for (const [, given, question] of decisions) {
    const permissions = compilePermissions(given)
    if (decide(permissions, question).allowed) t.true(couldEverBeAllowed(permissions, question))
  }
})

// Comparing the ids one by one would take minutes.
test('the time of a decision does not depend on the number of ids that a rule names', (t) => {
  const listIds = Array.from({ length: 500_000 }, (_, n) => `list-${n}`)
  const permissions = compilePermissions([allow('view', { listIds })])
  t.true(listIds.every((listId) => decide(permissions, view({ listId })).allowed))
})

const selections: [claim: string, rules: PermissionRule[], expected: unknown][] = [
  ['a rule for all identities selects all', [allow('view')], null],
  ['no rule selects none', [], []],
  ['rules before one for all identities decide nothing', [block('view', { identityIds: [a] }), allow('view')], null],
  ['rules for other actions, types and lists decide nothing', [
    allow('update'), allow('view', { resourceType: 'item' }), allow('view', { listIds: [a] }),
  ], []], // biome-ignore format: one line for each part
  ['the last rule comes first', [allow('view', { groups: ['staff'] }), block('*', { identityIds: [a], groups: ['x'] })], [
    { allow: false, ids: [a], groups: ['x'] }, { allow: true, ids: null, groups: ['staff'] },
  ]], // biome-ignore format: one line for each part
]
for (const [claim, rules, expected] of selections) {
  test(`identities of a page: ${claim}`, (t) => {
    t.deepEqual(selectIdentities(compilePermissions(rules), { action: 'view', resourceType: 'identity' }), expected)
  })
}

test('a rule for all allows a token everything, unless a later rule blocks something', (t) => {
  const all: PermissionRule = { mode: 'allow', action: '*' }
  const everything = (...rules: PermissionRule[]) => allowsEverything(compilePermissions(rules))
  t.true(everything(all))
  t.true(everything({ mode: 'block', action: 'view' }, all, { mode: 'allow', action: 'verify-email' }))
  t.false(everything(all, { mode: 'block', action: 'view', resourceType: 'stats' }))
  t.false(everything({ ...all, resourceType: 'item' }))
  t.false(everything({ ...all, listIds: ['00000000-0000-7000-8000-000000000001'] }))
  t.false(everything({ ...all, listIds: ['*'] }))
  t.false(everything({ mode: 'allow', action: 'view' }))
  t.false(everything())
})

const me = '01900000-0000-7000-8000-000000000001'
const other = '01900000-0000-7000-8000-000000000002'
const list = '01900000-0000-7000-8000-00000000000a'
const elsewhere = '01900000-0000-7000-8000-00000000000b'
const [first, second, third] = ['1', '2', '3'].map((n) => `01900000-0000-7000-8000-0000000000c${n}`) as [
  string,
  string,
  string,
]

const powers = (
  rules: PermissionRule[],
  identity: { id: string; groupName: string | null } | null = { id: me, groupName: 'staff' },
) => ({
  permissions: compilePermissions(rules),
  identity,
})
const ownView = (rest: Partial<OwnedAccessRequest> = {}): OwnedAccessRequest => ({
  action: 'view',
  resourceType: 'item',
  listId: list,
  itemId: first,
  ownerId: me,
  ...rest,
})

const table: [claim: string, rules: PermissionRule[], question: OwnedAccessRequest, expected: boolean][] = [
  ['view-with-identity lets it see its own item', [allow('view-with-identity')], ownView(), true],
  [
    "view-with-identity does not let it see another's item",
    [allow('view-with-identity')],
    ownView({ ownerId: other }),
    false,
  ],
  [
    'view-with-identity does not let it see an item without an owner',
    [allow('view-with-identity')],
    ownView({ ownerId: null }),
    false,
  ],
  ["view lets it see another's item", [allow('view')], ownView({ ownerId: other }), true],
  ['blocking view leaves view-with-identity', [allow('*'), block('view')], ownView(), true],
  ['blocking view-with-identity leaves view', [allow('*'), block('view-with-identity')], ownView(), true],
  ['both blocked', [allow('*'), block('view'), block('view-with-identity')], ownView(), false],
  [
    'view-with-identity is not update-with-identity',
    [allow('view-with-identity')],
    ownView({ action: 'update' }),
    false,
  ],
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
  ['a rule for its group', [allow('view-with-identity', { groups: ['staff'] })], ownView(), true],
  ['a rule for another group', [allow('view-with-identity', { groups: ['guests'] })], ownView(), false],
  ['a rule for it alone', [allow('view-with-identity', { identityIds: [me] })], ownView(), true],
  ['a rule for another identity alone', [allow('view-with-identity', { identityIds: [other] })], ownView(), false],
  [
    'restore-with-identity with view-with-identity',
    [allow('restore-with-identity'), allow('view-with-identity')],
    ownView({ action: 'restore' }),
    true,
  ],
  ['restore-with-identity alone', [allow('restore-with-identity')], ownView({ action: 'restore' }), false],
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

const ownPossibilities: [claim: string, rules: PermissionRule[], expected: boolean][] = [
  ['rules that select it', [allow('view-with-identity', { identityIds: [me], groups: ['staff'] })], true],
  ['rules that select another identity', [allow('view-with-identity', { identityIds: [other] })], false],
  ['rules that select another group', [allow('view-with-identity', { groups: ['guests'] })], false],
  ['rules, one of which blocks it', [allow('view-with-identity'), block('*', { identityIds: [me] })], false],
  [
    'rules, one of which blocks another identity',
    [allow('view-with-identity'), block('*', { identityIds: [other] })],
    true,
  ],
  ['rules that select identities, of a plain action', [allow('view', { identityIds: [me] })], false],
]
for (const [claim, rules, expected] of ownPossibilities) {
  test(`whether an identity may ever view an item, by ${claim}: ${expected}`, (t) =>
    t.is(couldEverBePermitted(powers(rules), 'view', 'item'), expected))
}

test('without identity headers the -with-identity rules allow nothing', (t) => {
  const rules = [allow('view-with-identity'), allow('create-with-identity')]
  t.false(isPermitted(powers(rules, null), ownView()))
  t.false(isPermitted(powers(rules, null), { action: 'create', resourceType: 'item', listId: list }))
  t.false(couldEverBePermitted(powers(rules, null), 'view', 'item'))
  t.true(couldEverBePermitted(powers(rules), 'view', 'item'))
  t.false(couldEverBePermitted(powers(rules), 'view', 'list'))
})

const none = { rest: false, except: [] }
const all = { rest: true, except: [] }
const visibilities: [claim: string, rules: PermissionRule[], regardlessOfOwner: object, own: object][] = [
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
for (const [claim, rules, regardlessOfOwner, own] of visibilities) {
  test(`the visible items of a list: ${claim}`, (t) => {
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

test('visibility and permission agree on every item, draft or not', (t) => {
  const cases = visibilities.flatMap(([claim, rules]) =>
    updates.map(([more, updating]) => ({ claim: `${claim}, ${more}`, rules: [...rules, ...updating] })),
  )
  for (const { claim, rules } of cases) {
    for (const grant of [powers(rules), powers(rules, null)]) {
      for (const itemId of [first, second, third]) {
        for (const ownerId of [me, other, null]) {
          const mayView = isPermitted(grant, ownView({ itemId, ownerId }))
          t.is(isIn(itemVisibility(grant, list), itemId, ownerId), mayView, claim)
          const knows = mayKnowDraft(grant, { listId: list, itemId, ownerId })
          t.is(isIn(draftVisibility(grant, list), itemId, ownerId), mayView && knows, claim)
        }
      }
    }
  }
})

test('a draft is visible to callers that may update it and to its owner, whatever the other rules say', (t) => {
  const knows = (rules: PermissionRule[], ownerId: string | null, acts = true) =>
    mayKnowDraft(acts ? powers(rules) : powers(rules, null), { listId: list, itemId: first, ownerId })
  t.true(knows([], me))
  t.false(knows([allow('view')], other))
  t.false(knows([allow('view'), allow('update-with-identity')], other))
  t.true(knows([allow('update')], other))
  t.false(knows([allow('view'), allow('delete')], null, false))
  t.true(knows([allow('update', { itemIds: [first] })], null, false))
})

// Searching for each item among all others would take minutes.
test('half a million named items are examined only once', (t) => {
  const rules = Array.from({ length: 500 }, (_, rule) =>
    block('view', { itemIds: Array.from({ length: 1_000 }, (_, n) => `${rule}-${n}`) }),
  )
  const { permissions } = powers([allow('view'), ...rules])
  t.is(itemVisibility({ permissions, identity: null }, list).regardlessOfOwner.except.length, 500_000)
})
