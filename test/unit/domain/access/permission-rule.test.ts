import test from 'ava'
import { permissionErrors } from '#shared/domain/access/permission-rule.ts'

const id = '01890a5d-ac96-774b-bcce-b302099a8057'
const paths = (value: unknown) => permissionErrors(value).map(({ path }) => path)

test('rules with every kind of selector are accepted', (t) => {
  const selectors = {
    listIds: [id, 'recipes'],
    itemIds: ['*'],
    indexIds: [id, '*'],
    identityIds: [id],
    groups: ['staff', '*'],
  }
  t.deepEqual(paths([]), [])
  t.deepEqual(paths([{ mode: 'allow', action: '*' }]), [])
  t.deepEqual(paths([{ mode: 'block', action: 'sync-schema', resourceType: 'list', ...selectors, flowIds: [id] }]), [])
})

test('rules with conditions are accepted for items of named lists', (t) => {
  const ofItems = { mode: 'allow', resourceType: 'item', listIds: [id] }
  const where = { status: 'eq:published', or: [{ tagged: 'a' }, { size: 'lt:5' }] }
  t.deepEqual(paths([{ ...ofItems, action: 'view', where }]), [])
  t.deepEqual(paths([{ ...ofItems, action: '*', where }]), [])
  const changes = ['', '/title', '/a~1b/0', 'tags', 'description', 'activated', 'version', 'readonly']
  t.deepEqual(paths([{ ...ofItems, action: 'update', where, becomes: where, changes }]), [])
  t.deepEqual(paths([{ ...ofItems, mode: 'block', action: 'update-with-identity', changes }]), [])
})

const ofItems = { mode: 'allow', action: 'update', resourceType: 'item', listIds: [id] }
const anyWhere = { where: { status: 'eq:x' } }

const invalid: [title: string, permissions: unknown, paths: string[]][] = [
  ['rules that are not an array', {}, ['permissions']],
  ['a rule that is not an object', ['allow', null, []], ['permissions.0', 'permissions.1', 'permissions.2']],
  ['an empty rule', [{}], ['permissions.0.mode', 'permissions.0.action']],
  ['an unknown mode', [{ mode: 'deny', action: '*' }], ['permissions.0.mode']],
  ['an unknown action', [{ mode: 'allow', action: 'read' }], ['permissions.0.action']],
  [
    'a resource type outside the list',
    [{ mode: 'allow', action: '*', resourceType: 'webhook' }],
    ['permissions.0.resourceType'],
  ],
  ['an unknown property', [{ mode: 'allow', action: '*', lists: [id] }], ['permissions.0.lists']],
  ['an inherited name', [{ mode: 'allow', action: '*', constructor: 1 }], ['permissions.0.constructor']],
  [
    'an invalid path name of a list',
    [{ mode: 'block', action: '*', listIds: ['all recipes'] }],
    ['permissions.0.listIds.0'],
  ],
  ['a name in place of an id', [{ mode: 'block', action: '*', itemIds: ['recipes'] }], ['permissions.0.itemIds.0']],
  ['an id in upper case', [{ mode: 'block', action: '*', itemIds: [id.toUpperCase()] }], ['permissions.0.itemIds.0']],
  ['an empty selector', [{ mode: 'allow', action: '*', itemIds: [] }], ['permissions.0.itemIds']],
  ['a selector that is not an array', [{ mode: 'allow', action: '*', itemIds: id }], ['permissions.0.itemIds']],
  ['a null selector', [{ mode: 'allow', action: '*', itemIds: null }], ['permissions.0.itemIds']],
  ['an id that is not a string', [{ mode: 'allow', action: '*', itemIds: [id, 7] }], ['permissions.0.itemIds.1']],
  [
    'where without a type',
    [{ ...ofItems, resourceType: undefined, ...anyWhere }],
    ['permissions.0.resourceType', 'permissions.0.where'],
  ],
  ['where on lists', [{ ...ofItems, resourceType: 'list', ...anyWhere }], ['permissions.0.where']],
  ['where on an action that is not of items', [{ ...ofItems, action: 'run', ...anyWhere }], ['permissions.0.where']],
  [
    'where without lists',
    [{ mode: 'allow', action: 'view', resourceType: 'item', ...anyWhere }],
    ['permissions.0.where'],
  ],
  ['where with all lists', [{ ...ofItems, listIds: ['*'], ...anyWhere }], ['permissions.0.where']],
  ['where with a list and all lists', [{ ...ofItems, listIds: [id, '*'], ...anyWhere }], ['permissions.0.where']],
  ['an empty where', [{ ...ofItems, where: {} }], ['permissions.0.where']],
  ['a where that is not an object', [{ ...ofItems, where: 'status=x' }], ['permissions.0.where']],
  ['a null where', [{ ...ofItems, where: null }], ['permissions.0.where']],
  ['an empty becomes', [{ ...ofItems, becomes: {} }], ['permissions.0.becomes']],
  ['becomes of a view', [{ ...ofItems, action: 'view', becomes: { status: 'x' } }], ['permissions.0.becomes']],
  ['becomes of every action', [{ ...ofItems, action: '*', becomes: { status: 'x' } }], ['permissions.0.becomes']],
  ['empty changes', [{ ...ofItems, changes: [] }], ['permissions.0.changes']],
  ['changes that are not an array', [{ ...ofItems, changes: '/title' }], ['permissions.0.changes']],
  ['changes of a delete', [{ ...ofItems, action: 'delete', changes: ['/title'] }], ['permissions.0.changes']],
  [
    'a change that is not a pointer',
    [{ ...ofItems, changes: ['/a', 'title', '/a~2', 7] }],
    ['permissions.0.changes.1', 'permissions.0.changes.2', 'permissions.0.changes.3'],
  ],
  [
    'more changes than a rule may have',
    [{ ...ofItems, changes: Array.from({ length: 51 }, () => '/a') }],
    ['permissions.0.changes'],
  ],
  [
    'more rules with conditions than a token may have',
    Array.from({ length: 51 }, () => ({ ...ofItems, ...anyWhere })),
    ['permissions'],
  ],
  ['an empty group', [{ mode: 'allow', action: '*', groups: [''] }], ['permissions.0.groups.0']],
  [
    'invalid names of groups',
    [{ mode: 'block', action: '*', groups: ['staff', 'st\u00e4ff', ' staff', 'x'.repeat(101), '*'] }],
    ['permissions.0.groups.1', 'permissions.0.groups.2', 'permissions.0.groups.3'],
  ],
  ['too many rules', Array(501).fill({ mode: 'allow', action: '*' }), ['permissions']],
  ['too many ids', [{ mode: 'allow', action: '*', listIds: Array(1001).fill(id) }], ['permissions.0.listIds']],
  [
    'several errors in several rules',
    [{ mode: 'deny', action: 'read', x: 1 }, { action: '*' }],
    ['permissions.0.mode', 'permissions.0.action', 'permissions.0.x', 'permissions.1.mode'],
  ],
]
for (const [title, permissions, expected] of invalid) {
  test(`rejected with its path: ${title}`, (t) => t.deepEqual(paths(permissions), expected))
}

test('once there are enough errors, no more rules are checked', (t) => {
  const wrong = { mode: 'allow', action: 'view', listIds: Array.from({ length: 1_000 }, () => '') }
  t.is(permissionErrors(Array.from({ length: 500 }, () => wrong)).length, 1_000)
})
