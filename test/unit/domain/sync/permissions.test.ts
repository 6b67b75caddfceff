import test from 'ava'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { missingPermissions } from '#shared/domain/sync/permissions.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }
const world = syncWorld()
world.sync({ lists: { a: { indexes: { i: title } } } })
const listId = world.list('a').id

const mixed = { lists: { a: { name: 'x', indexes: { i: { sorting: true }, j: { pointer: '/j' } } }, b: {} } }
const look: PermissionRule = { mode: 'allow', action: 'sync-schema' }

function missing(rules: PermissionRule[], source: Parameters<typeof world.plan>[0], applying = true): string[] {
  return resultOf(missingPermissions(world.plan(source), compilePermissions(rules), { applying })).map(
    ({ action, resourceType, list, index }) => `${action} ${resourceType} ${list}${index ? `.${index}` : ''}`,
  )
}

test('sync-schema lets a token plan, and applying needs the permission for each change', (t) => {
  t.deepEqual(missing([look], mixed, false), [])
  t.deepEqual(missing([look], mixed), ['update list a', 'update index a.i', 'create index a.j', 'create list b'])
})

test('unchanged lists and indexes need no permission', (t) => {
  t.deepEqual(missing([look], { lists: { a: { indexes: { i: {} } } } }), [])
})

test('a token that allows everything lacks nothing', (t) => {
  t.deepEqual(missing([{ mode: 'allow', action: '*' }], mixed), [])
})

test('without sync-schema the permission is missing for each list', (t) => {
  const rules: PermissionRule[] = [{ mode: 'allow', action: 'update' }]
  t.deepEqual(missing(rules, { lists: { a: {}, b: {} } }, false), ['sync-schema list a', 'sync-schema list b'])
})

test('rules for one list apply to that list and not to new ones', (t) => {
  const rules: PermissionRule[] = [{ mode: 'allow', action: '*', listIds: [listId] }]
  t.deepEqual(missing(rules, mixed), ['sync-schema list b', 'create list b'])
})

test('a resource type distinguishes lists and indexes', (t) => {
  const rules: PermissionRule[] = [look, { mode: 'allow', action: '*', resourceType: 'index' }]
  t.deepEqual(missing(rules, mixed), ['update list a', 'create list b'])
})

test('to set the schema of a list with guard indexes a token also needs to update indexes', (t) => {
  const guarded = syncWorld()
  guarded.sync({ lists: { a: { indexes: { i: { ...title, guard: true } } }, b: {} } })
  const asked = { lists: { a: { schema: { type: 'object' } }, b: { schema: { type: 'object' } } } }
  const lacks = (rules: PermissionRule[]) =>
    resultOf(missingPermissions(guarded.plan(asked), compilePermissions(rules), { applying: true }))
  const lists: PermissionRule[] = [look, { mode: 'allow', action: 'update', resourceType: 'list' }]
  t.deepEqual(lacks(lists), [{ action: 'update', resourceType: 'index', list: 'a' }])
  t.deepEqual(lacks([...lists, { mode: 'allow', action: 'update', resourceType: 'index' }]), [])
})

test('adopting a list needs update', (t) => {
  t.deepEqual(missing([look], { scope: 's', lists: { a: {} } }), ['update list a'])
})
