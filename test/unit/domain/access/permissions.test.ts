import test from 'ava'
import { type AccessRequest, allowsEverything, compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import { type PermissionRule, permissionErrors } from '#shared/domain/access/permission-rule.ts'
import { couldEverBeAllowed, decide } from '#shared/domain/access/permissions.ts'
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
    'an allowing selector with * does not cover what has no such id',
    [allow('view', { itemIds: ['*'] })],
    view(),
    'block',
  ],
  ['a blocking one does', [allow('view'), block('view', { itemIds: ['*'] })], view(), 'block'],
  ['one of several is enough', [allow('view', { itemIds: ['*'], listIds: ['*'] })], view(), 'allow'],
  ['next to ids it adds nothing', [allow('view', { itemIds: ['*'], listIds: [a] })], view({ listId: a }), 'allow'],
  [
    'a selector does not match what has no such id',
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
    'the ungrouped space is no group',
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
    'restore-with-identity needs to view what it owns',
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
  test(`an allow rule with ${selector}: ["*"] covers what has such an id, and nothing else`, (t) => {
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

test('identityIds and groups with * cover what owners may do with what is theirs', (t) => {
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
  ['what only other types are selected by', [allow('view', { indexIds: [i] })], false],
  ['what only identities are selected by', [allow('view', { identityIds: [i] }), allow('*', { groups: ['x'] })], false],
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

// Looked through one by one the ids would take minutes.
test('a decision does not go through the ids that a rule names', (t) => {
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

test('a token is allowed everything by a rule for all, unless one after it blocks something', (t) => {
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
