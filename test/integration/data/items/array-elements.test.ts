import test, { type ExecutionContext } from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { visibleItems } from '#shared/data/item-pages/item-set.ts'
import { readItemPage } from '#shared/data/item-pages/page.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { noteArrays } from '#shared/data/lists/array-indexes.ts'
import { indexTable } from '#shared/data/lists/columns.ts'
import { purgeBatch } from '#shared/data/lists/list-purge.ts'
import { fillElements } from '#shared/data/migrations/026-array-elements.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { indexValues } from '#shared/domain/item/index-value.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { runBuilds } from '../../../support/databases/contents/index-jobs.ts'
import { storeItems } from '../../../support/databases/contents/indexed-items.ts'
import { itemChange, makeList, testItem } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { all, pageRequest } from '../../../support/databases/questions/item-sets.ts'

/** A list with an index on labels and an alias, and a function that writes its items. */
async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const own = { ...at, at: 0 }
  const labels = newIndex({ pathName: 'labels', pointer: '/labels', filtering: true }, { ...own, id: newId() })
  const alias = newIndex({ pathName: 'slug', pointer: '/labels', alias: true }, { ...own, id: newId() })
  await db.transaction((tx) => insertRows(tx, indexTable.rows([labels, alias])))
  const committer = createCommitter(db, { announce() {} })
  const write = async (id: string, expectedRevision: number | null, given: unknown) => {
    const data = JSON.stringify(given)
    const after = given === undefined ? null : { ...testItem(at, id, (expectedRevision ?? 0) + 1), data }
    const values = after ? indexValues([labels, alias], JSON.parse(data)).values : []
    await committer.commit(itemChange(at, { itemId: id, expectedRevision, after, indexValues: values, arrays: true }))
  }
  return { db, at, labels, alias, write }
}

/** The keys of an index by item: first that of the value, then those of the elements. */
async function keysIn(db: Database, indexId: string): Promise<Record<string, (string | null)[]>> {
  const rows = await db.all<{ item_id: string; order_key: string | null }>(
    `select item_id, order_key, -1 as n from index_values where index_id = ?
     union all select item_id, order_key, n from index_elements where index_id = ? order by item_id, n`,
    [indexId, indexId],
  )
  const byItem = Map.groupBy(rows, ({ item_id }) => item_id)
  return Object.fromEntries([...byItem].map(([id, found]) => [id, found.map(({ order_key }) => order_key)]))
}

test('the elements of an item are written, changed and deleted with it', async (t) => {
  const { db, labels, write } = await world(t)
  const [one, two] = [newId(), newId()]
  await Promise.all([write(one, null, { labels: ['b', 'a', 'c'] }), write(two, null, { labels: ['b', 'a'] })])
  t.deepEqual(await keysIn(db, labels.valuesId), { [one]: ['a', 'b', 'c'], [two]: ['a', 'b'] })
  await Promise.all([write(one, 1, { labels: ['d', 'a'] }), write(two, 1, { labels: 'x' })])
  t.deepEqual(await keysIn(db, labels.valuesId), { [one]: ['a', 'd'], [two]: ['x'] })
  await write(one, 2, undefined)
  t.deepEqual(await keysIn(db, labels.valuesId), { [two]: ['x'] })
})

test('the first elements of an index are recorded under the next version of its list', async (t) => {
  const { db, at, labels } = await world(t)
  const version = async () => (await db.get<{ v: number }>('select config_version as v from lists'))?.v
  const before = Number(await version())
  await noteArrays(db, { listId: at.listId, valuesIds: [labels.valuesId] })
  t.is(Number(await version()), before + 1)
  const rows = await db.all<{ path_name: string }>('select path_name from indexes where arrays = 1')
  t.deepEqual(
    rows.map((row) => row.path_name),
    ['labels'],
  )
})

test('deleting a list deletes the elements of its items', async (t) => {
  const { db, at, write } = await world(t)
  await write(newId(), null, { labels: ['b', 'a', 'c'] })
  await db.run('insert into list_purges (list_id, deleted_at) values (?, 0)', [at.listId])
  await purgeBatch(db, { listId: at.listId, from: null }, { items: 10, bytes: 1_000 })
  t.is(Number((await db.get('select count(*) as n from index_elements'))?.n), 0)
})

test('a build adds the elements of stored arrays, and a purge deletes them', async (t) => {
  const { db, at, labels } = await world(t)
  const [one] = await storeItems(db, at, [{ labels: ['b', 'a'] }, { labels: 'c' }])
  const build = { values_id: labels.valuesId, index_id: labels.id, list_id: at.listId, step: 0, item_range: 0 }
  await db.run(db.build('index_builds').insert({ ...build, last_created_at: 0, last_id: '', done: 0, total: 2 }))
  await db.run("update indexes set build_status = 'building' where id = ?", [labels.id])
  await runBuilds(db)
  t.deepEqual((await keysIn(db, labels.valuesId))[one ?? ''], ['a', 'b'])
  t.like(await db.get('select build_status, arrays from indexes where id = ?', [labels.id]), { build_status: 'ready' })
  await db.run('insert into index_value_purges (values_id) values (?)', [labels.valuesId])
  await runBuilds(db)
  t.deepEqual(await keysIn(db, labels.valuesId), {})
})

test('the upgrade adds the elements of arrays that were stored without them, in steps', async (t) => {
  const { db, at, labels, alias } = await world(t)
  const data = [
    { labels: ['b', 'a'] },
    { labels: 'c' },
    {},
    { labels: ['only'] },
    { labels: ['z', 'y', 'x'] },
    { labels: [] },
  ]
  const ids = await storeItems(db, at, data)
  await db.run('update items set readonly = 1 where id = ?', [ids[4]])
  for (const { valuesId } of [labels, alias]) {
    await db.run(
      `insert into index_values (index_id, item_id, activated, readonly, order_key, filter_key, created_at)
       select ?, id, activated, readonly, null, null, created_at from items`,
      [valuesId],
    )
  }
  await db.run("update index_values set order_key = 'c', filter_key = 'c' where item_id = ?", [ids[1]])
  const version = async () => Number((await db.get('select config_version as v from lists'))?.v)
  const before = await version()
  for (let after: string | null = null, steps = 0; after !== null || steps === 0; steps++) {
    after = (await db.transaction((tx) => fillElements(tx, { after, limit: 1 }))).after
    t.true(steps < 30)
  }
  const found = await keysIn(db, labels.valuesId)
  t.deepEqual(
    ids.map((id) => found[id]),
    [['a', 'b'], ['c'], [null], ['only'], ['x', 'y', 'z'], [null]],
  )
  t.is(await version(), before + 1)
  t.true(Object.values(await keysIn(db, alias.valuesId)).every((keys) => keys.length === 1))
  const flags = await db.all<{ path_name: string }>('select path_name from indexes where arrays = 1')
  t.deepEqual(
    flags.map((row) => row.path_name),
    ['labels'],
  )
})

test('elements that code of the previous version leaves behind no longer count', async (t) => {
  const { db, at, labels, write } = await world(t)
  const [changed, gone, same] = [newId(), newId(), newId()]
  for (const id of [changed, gone, same]) await write(id, null, { labels: ['b', 'a'] })
  await db.run("update items set revision = 2, data = '{}' where id = ?", [changed])
  await db.run('update index_values set order_key = null, filter_key = null where item_id = ?', [changed])
  for (const table of ['items', 'index_values'])
    await db.run(`delete from ${table} where ${table === 'items' ? 'id' : 'item_id'} = ?`, [gone])
  const keys = { kind: 'any-of', keys: ['b'] } as const
  const filter = { indexId: labels.valuesId, keys, texts: [], arrays: true } as const
  for (const values of [[filter], [{ ...filter, not: true as const }]]) {
    const set = { ...visibleItems(at.listId, all, null), values }
    const found = await readItemPage(
      db,
      { accountId: at.accountId, set, filtered: true, withData: false },
      pageRequest({}),
    )
    t.deepEqual(
      found.page.data.map(({ id }) => id),
      [values[0] === filter ? same : changed],
    )
  }
  // A deleted item that is created again under its id has its own elements.
  const after = { ...testItem(at, gone, 2), data: '{"labels":["z","y"]}' }
  const indexed = indexValues([labels], { labels: ['z', 'y'] }).values
  await createCommitter(db, { announce() {} }).commit(
    itemChange(at, { itemId: gone, after, indexValues: indexed, arrays: true }),
  )
  const set = { ...visibleItems(at.listId, all, null), values: [filter] }
  const found = await readItemPage(
    db,
    { accountId: at.accountId, set, filtered: true, withData: false },
    pageRequest({}),
  )
  t.deepEqual(
    found.page.data.map(({ id }) => id),
    [same],
  )
})
