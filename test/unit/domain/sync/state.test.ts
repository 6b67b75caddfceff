import test from 'ava'
import { namesIn } from '#shared/domain/fields/values.ts'
import { listFields } from '#shared/domain/list/fields.ts'
import { indexFields } from '#shared/domain/list/index-fields.ts'
import { violations } from '#shared/domain/list/index-rules.ts'
import { ownTags } from '#shared/domain/list/scope.ts'
import { exportDocument, exportList } from '#shared/domain/sync/export.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { pick, seeded } from '../../../support/load/random-json.ts'
import { type RandomDocument, randomDocument } from '../../../support/sync/random-documents.ts'
import { syncWorld, textOf } from '../../../support/sync/sync-world.ts'

const random = seeded(20_261)
const runs = 150
const everything = { allowRebuild: true, allowDestructive: true }

type State = ReadonlyMap<string, CurrentList>

/** An applied sync, with the lists before and after it. */
type Applied = { source: RandomDocument; prune: boolean; before: State; after: State }

/** Lists that a few random documents created; some have items. */
function randomWorld() {
  const world = syncWorld()
  const applied: Applied[] = []
  for (let n = 0; n < 8; n++) {
    const source = randomDocument(random)
    const prune = source.scope !== undefined && random() < 0.4
    const options = { ...everything, prune }
    const before = structuredClone(world.lists)
    if (world.plan(source, options).blockedBy) continue
    world.sync(source, n, options)
    applied.push({ source, prune, before, after: structuredClone(world.lists) })
    for (const key of world.lists.keys()) world.change(key, { itemCount: pick(random, [0, 3]) })
  }
  return { world, applied }
}

const worlds = Array.from({ length: runs }, randomWorld)
const syncs = worlds.flatMap(({ applied }) => applied)

const keysOf = (names: object) => new Map(Object.entries(names).map(([name, entry]) => [name.toLowerCase(), entry]))
const isNoChange = (changes: readonly { action: string }[]) => changes.every(({ action }) => action === 'no-change')

test('the documents overlap: most are applied, to existing lists', (t) => {
  t.true(syncs.length > runs * 2)
  t.true(syncs.filter(({ before }) => before.size > 0).length > runs)
  t.true(
    syncs.some(({ before, after }) => [...before.keys()].some((key) => !after.has(key))),
    'some prune',
  )
})

test('a document that was applied is all no-change when it is planned again', (t) => {
  for (let n = 0; n < runs; n++) {
    const world = syncWorld()
    for (const source of [randomDocument(random), randomDocument(random)]) {
      const options = { ...everything, prune: source.scope !== undefined }
      if (world.plan(source, options).blockedBy) continue
      world.sync(source, n, options)
      t.true(isNoChange(world.plan(source, options).changes), JSON.stringify(source))
    }
  }
})

test('an exported document is all no-change when it is synced, with prune too', (t) => {
  for (const { world } of worlds) {
    for (const scope of [null, 'app', 'App', 'other']) {
      const lists = [...world.lists.values()].filter(({ list }) => list.scope === scope)
      const members = lists.map((list) => exportList(list).member)
      const source = JSON.parse(exportDocument(scope, members))
      const { changes, blockedBy } = world.plan(source, { prune: scope !== null })
      t.is(blockedBy, null)
      t.true(isNoChange(changes), JSON.stringify(source))
    }
  }
})

test('planning changes nothing and gives the same plan each time', (t) => {
  for (const { world } of worlds) {
    const before = structuredClone(world.lists)
    const source = randomDocument(random)
    t.is(textOf(world.plan(source)), textOf(world.plan(source)))
    t.deepEqual(world.lists, before)
  }
})

test('lists that the document neither names nor prunes stay unchanged', (t) => {
  for (const { source, prune, before, after } of syncs) {
    const named = keysOf(source.lists)
    for (const [key, current] of before) {
      if (named.has(key)) continue
      if (prune && current.list.scope === source.scope) t.false(after.has(key))
      else t.deepEqual(after.get(key), current)
    }
    for (const key of after.keys()) t.true(before.has(key) || named.has(key))
  }
})

const stated = namesIn(listFields, 'sync')
const statedOfIndex = namesIn(indexFields, 'sync')

test('fields that an entry omits stay unchanged, except for the tag of the scope', (t) => {
  for (const { source, before, after } of syncs) {
    for (const [key, entry] of keysOf(source.lists)) {
      const [was, is] = [before.get(key)?.list, after.get(key)?.list]
      const left = stated.filter((name) => !(name in entry) && name !== 'tags')
      if (was) for (const name of left) t.deepEqual(is?.[name], was[name], name)
      if (was && is && !('tags' in entry)) t.deepEqual(ownTags(is.tags, is.scope), ownTags(was.tags, is.scope))
      for (const [pathName, index] of keysOf(Object(entry.indexes))) {
        const find = (state: State) => state.get(key)?.indexes.find((one) => one.pathName === pathName)
        const others = statedOfIndex.filter((name) => !(name in index) && name !== 'tags')
        if (find(before)) for (const name of others) t.deepEqual(find(after)?.[name], find(before)?.[name], name)
      }
    }
  }
})

test('indexes that are not listed stay unchanged, unless their scope prunes them', (t) => {
  for (const { source, prune, before, after } of syncs) {
    for (const [key, entry] of keysOf(source.lists)) {
      const listed = keysOf(Object(entry.indexes))
      for (const index of before.get(key)?.indexes ?? []) {
        if (listed.has(index.pathName)) continue
        const found = after.get(key)?.indexes.find(({ id }) => id === index.id)
        if (prune && entry.indexes && index.scope === source.scope) t.is(found, undefined)
        else t.deepEqual(found, index)
      }
    }
  }
})

test('no sync leaves indexes that break a rule or have a duplicate name', (t) => {
  for (const { after } of syncs) {
    for (const { indexes } of after.values()) {
      t.deepEqual([...violations(indexes).values()].flat(), [])
      t.is(new Set(indexes.map(({ pathName }) => pathName)).size, indexes.length)
    }
  }
})

test('a managed list or index has the tag of its scope, and a document of another scope changes none', (t) => {
  for (const { source, before, after } of syncs) {
    for (const { list, indexes } of after.values()) {
      for (const { scope, tags } of [list, ...indexes]) if (scope !== null) t.true(tags.includes(scope.toLowerCase()))
    }
    for (const [key, { list }] of before) {
      if (list.scope !== null && list.scope !== (source.scope ?? null)) t.deepEqual(after.get(key)?.list, list)
    }
  }
})
