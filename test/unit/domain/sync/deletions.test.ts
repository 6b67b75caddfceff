import test from 'ava'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import type { Change } from '#shared/domain/sync/change.ts'
import { missingPermissions } from '#shared/domain/sync/permissions.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { syncWorld, textOf } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }
const guard = { pointer: '/secret', guard: true }
const prune = { prune: true }
const allowed = { prune: true, allowDestructive: true }
const deleted = (changes: readonly Change[]) =>
  changes
    .filter(({ action }) => action === 'delete')
    .map(({ list, index }) => [list, ...(index ? [index] : [])].join('.'))
const errorNames = ({ errors = [] }: Change) => errors.map(({ name }) => name)

/** Lists of the scope `app`, one list of another scope, and one without a scope. */
function world() {
  const synced = syncWorld()
  synced.sync({ lists: { free: {} } })
  synced.sync({ scope: 'other', lists: { theirs: {} } })
  synced.sync({ scope: 'app', lists: { b: { indexes: { i: title, j: { pointer: '/j' } } }, a: {}, c: {} } })
  return synced
}

test('without prune nothing is deleted', (t) => {
  const { changes } = world().plan({ scope: 'app', lists: {} }, { allowDestructive: true })
  t.deepEqual(changes, [])
})

test('prune deletes the lists that the scope manages and the document does not declare, each as one change', (t) => {
  const synced = world()
  const { changes, summary, blockedBy } = synced.plan({ scope: 'app', lists: { C: {} } }, prune)
  t.deepEqual(changes.slice(1), [
    {
      resourceType: 'list',
      list: 'a',
      listId: synced.list('a').id,
      action: 'delete',
      delete: { items: 0, indexes: 0, destructive: false },
    },
    {
      resourceType: 'list',
      list: 'b',
      listId: synced.list('b').id,
      action: 'delete',
      delete: { items: 0, indexes: 2, destructive: false },
    },
  ])
  t.like(summary, { delete: 2, noChange: 1, destructive: 0 })
  t.is(blockedBy, null)
})

test('scopes are compared exactly: a scope that differs in case manages nothing here', (t) => {
  t.deepEqual(world().plan({ scope: 'App', lists: {} }, prune).changes, [])
})

test('the indexes that a list loses are in the order of their path names, whatever order they were read in', (t) => {
  const synced = world()
  const indexes = { n: { pointer: '/n' }, k: { pointer: '/k' }, m: { pointer: '/m' } }
  synced.sync({ scope: 'app', lists: { a: { indexes } } })
  const { changes } = synced.plan({ scope: 'app', lists: { a: { indexes: {} }, b: {}, c: {} } }, prune)
  t.deepEqual(deleted(changes), ['a.k', 'a.m', 'a.n'])
})

test('an entry without indexes keeps its indexes, an empty one deletes those of the scope', (t) => {
  const synced = world()
  const lists = { a: {}, c: {} }
  t.deepEqual(deleted(synced.plan({ scope: 'app', lists: { ...lists, b: {} } }, prune).changes), [])
  t.deepEqual(deleted(synced.plan({ scope: 'app', lists: { ...lists, b: { indexes: {} } } }, prune).changes), [
    'b.i',
    'b.j',
  ])
  const one = synced.plan({ scope: 'app', lists: { ...lists, b: { indexes: { I: {} } } } }, prune)
  t.deepEqual(deleted(one.changes), ['b.j'])
  t.like(one.changes.at(-1), { delete: { destructive: false } })
})

test('an index created by hand on a managed list stays', (t) => {
  const synced = syncWorld()
  synced.sync({ lists: { a: { indexes: { hand: title } } } })
  synced.sync({ scope: 'app', lists: { a: {} } })
  t.deepEqual(deleted(synced.plan({ scope: 'app', lists: { a: { indexes: {} } } }, prune).changes), [])
})

test('a deletion makes room in the same document: for an alias, and under a guard pointer', (t) => {
  const synced = syncWorld()
  synced.sync({ scope: 'app', lists: { a: { indexes: { x: { pointer: '/x', alias: true }, secret: guard } } } })
  const indexes = { y: { pointer: '/y', alias: true }, below: { pointer: '/secret/below' } }
  t.deepEqual(synced.plan({ scope: 'app', lists: { a: { indexes } } }).changes.map(errorNames), [
    [],
    ['INDEX_ALIAS_EXISTS'],
    ['VALIDATION_FAILED'],
  ])
  t.is(synced.plan({ scope: 'app', lists: { a: { indexes } } }, allowed).blockedBy, null)
})

test('deleting a list with items needs allowDestructive', (t) => {
  const synced = world()
  synced.change('a', { itemCount: 3 })
  const document = { scope: 'app', lists: { b: {}, c: {} } }
  const rejected = synced.plan(document, prune)
  t.is(rejected.blockedBy?.name, 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED')
  t.deepEqual(rejected.changes.at(-1)?.delete, { items: 3, indexes: 0, destructive: true })
  t.is(rejected.summary.destructive, 1)
  t.is(synced.plan(document, allowed).blockedBy, null)
})

test('deleting a guard index, and turning guard off, need allowDestructive and warn', (t) => {
  const synced = syncWorld()
  synced.sync({ scope: 'app', lists: { a: { indexes: { secret: guard } } } })
  for (const indexes of [{}, { secret: { guard: false } }]) {
    const document = { scope: 'app', lists: { a: { indexes } } }
    const { changes, blockedBy, summary } = synced.plan(document, prune)
    t.is(blockedBy?.name, 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED')
    t.is(summary.destructive, 1)
    t.regex(changes[1]?.warnings?.[0] ?? '', /visible/)
    t.is(synced.plan(document, allowed).blockedBy, null)
  }
})

test('errors are reported before rebuilds, and rebuilds before destructive changes', (t) => {
  const synced = world()
  synced.change('a', { itemCount: 1 })
  synced.change('b', { itemCount: 1 })
  const lists = { b: { indexes: { i: { pointer: '/other' } } }, c: {} }
  const broken = { ...lists, c: { indexes: { k: {} } } }
  const name = (document: Record<string, unknown>, options = {}) =>
    synced.plan({ scope: 'app', lists: document }, { ...prune, ...options }).blockedBy?.name
  t.is(name(broken), 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
  t.is(name(lists), 'SCHEMA_SYNC_REBUILD_NOT_ALLOWED')
  t.is(name(lists, { allowRebuild: true }), 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED')
  t.is(name(lists, { allowDestructive: true }), 'SCHEMA_SYNC_REBUILD_NOT_ALLOWED')
  t.is(name(lists, { allowRebuild: true, allowDestructive: true }), undefined)
})

test('a protected list with items and a readonly list are not deleted, nor an index of a readonly list', (t) => {
  const synced = world()
  synced.change('a', { protected: true, itemCount: 1 })
  synced.change('b', { readonly: true })
  const { changes, blockedBy } = synced.plan({ scope: 'app', lists: { c: {} } }, allowed)
  t.deepEqual(changes.map(errorNames), [[], ['LIST_PROTECTED'], ['LIST_READONLY']])
  t.is(blockedBy?.name, 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
  const index = synced.plan({ scope: 'app', lists: { a: {}, b: { indexes: { i: {} } }, c: {} } }, allowed)
  t.deepEqual(index.changes.map(errorNames), [[], [], [], ['LIST_READONLY'], []])
  synced.change('a', { itemCount: 0 })
  synced.change('b', { readonly: false })
  t.is(synced.plan({ scope: 'app', lists: { c: {} } }, prune).blockedBy, null, 'an empty protected list may go')
})

test('a list that is not activated stays when a token prunes', (t) => {
  const synced = world()
  synced.change('a', { activated: false })
  const document = { scope: 'app', lists: { b: {}, c: {} } }
  t.is(synced.plan(document, { ...allowed, seesDeactivated: false }).changes.length, 2)
  t.deepEqual(deleted(synced.plan(document, allowed).changes), ['a'])
})

test('deleting needs the permission to delete', (t) => {
  const synced = world()
  const plan = synced.plan({ scope: 'app', lists: { a: {}, b: { indexes: { i: {} } } } }, allowed)
  const missing = (action: 'update' | 'delete') =>
    resultOf(
      missingPermissions(
        plan,
        compilePermissions([
          { mode: 'allow', action: 'sync-schema' },
          { mode: 'allow', action },
        ]),
        { applying: true },
      ),
    )
  t.deepEqual(missing('update'), [
    { action: 'delete', resourceType: 'index', list: 'b', index: 'j' },
    { action: 'delete', resourceType: 'list', list: 'c' },
  ])
  t.deepEqual(missing('delete'), [])
})

test('a deletion is written with its version and its events, and a list without items must still be empty', (t) => {
  const synced = world()
  const { id, configVersion } = synced.list('c')
  const index = synced.index('b', 'j')
  const { writes } = synced.sync({ scope: 'app', lists: { a: {}, b: { indexes: { i: {} } } } }, 2_000, allowed)
  t.deepEqual(writes.touchedLists, [
    { id: synced.list('b').id, configVersion: 1, mustBeEmpty: false },
    { id, configVersion, mustBeEmpty: true },
  ])
  t.deepEqual(writes.builds, [{ before: index, after: null, items: 0 }])
  t.deepEqual(
    writes.events.map(({ type, modelId }) => [type, modelId]),
    [
      ['index-deleted', index.id],
      ['list-deleted', id],
    ],
  )
  t.is(JSON.parse(writes.events[1]?.snapshot ?? '').pathName, 'c')
  t.deepEqual(synced.plan({ scope: 'app', lists: { a: {}, b: { indexes: { i: {} } } } }, allowed).summary.noChange, 3)
})

test('a deletion changes the plan, and so does each item that would be deleted too', (t) => {
  const synced = world()
  const text = (options: object) => textOf(synced.plan({ scope: 'app', lists: { a: {}, b: {} } }, options))
  const [without, empty] = [text({}), text(allowed)]
  t.not(empty, without)
  t.is(text(prune), empty, 'what is allowed makes no other plan')
  synced.change('c', { itemCount: 1 })
  const one = text(allowed)
  t.not(one, empty)
  synced.change('c', { itemCount: 2 })
  t.not(text(allowed), one)
})
