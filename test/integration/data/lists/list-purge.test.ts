import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { removeList } from '#shared/data/lists/list-changes.ts'
import { type ListPurge, nextPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import { findList } from '#shared/data/lists/lists.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { itemChange, makeList, testId } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

async function remove(db: Database, { accountId, listId }: { accountId: string; listId: string }): Promise<void> {
  const list = await findList(db, accountId, listId)
  if (!list) throw new Error(`there is no list ${listId}`)
  await db.transaction(async (tx) => removeList(tx, list, await tx.now()))
}

/** The number of rows that refer to a list, by table. */
async function rowsOf(db: Database, listId: string): Promise<Record<string, number>> {
  const row = await db.get<Record<string, number>>(
    `select (select count(*) from items where list_id = ?) as items,
       (select count(*) from index_values where index_id = ?) as "values",
       (select count(*) from item_tags where list_id = ?) as tags,
       (select count(*) from indexes where list_id = ?) as indexes,
       (select count(*) from list_purges where list_id = ?) as purges`,
    Array(5).fill(listId),
  )
  return row ?? {}
}

async function addIndex(db: Database, { accountId, listId }: { accountId: string; listId: string }): Promise<void> {
  const flags = { alias: 0, sorting: 0, filtering: 0, searching: 0, guard: 0, activated: 1 }
  const texts = { name: 'x', description: '', tags: '[]', path_name: 'x', pointer: '/x', value_type: 'string' }
  const more = { default_order_direction: 'asc', build_status: 'ready', created_at: 0, updated_at: 0 }
  const owner = { id: testId(), account_id: accountId, list_id: listId }
  await db.run(db.build('indexes').insert({ ...owner, ...texts, ...flags, ...more }))
}

const size = { items: 10, bytes: 1_000_000 }

/** Purges a list to its end, as the job does. @returns how many items each batch deleted */
async function purge(db: Database, listId: string, from: ListPurge['from'] = null): Promise<number[]> {
  const batch = await purgeBatch(db, { listId, from }, size)
  return batch.more ? [batch.rows, ...(await purge(db, listId, batch.position))] : []
}

test('a deleted list is purged in batches of its items, and nothing else', async (t) => {
  const { db } = await testDatabase(t)
  const [gone, kept] = [await makeList(db), await makeList(db)]
  for (const list of [gone, kept]) {
    await addManyItems(db, { ...list, count: 25, tag: 'red' })
    await addIndex(db, list)
  }
  const before = await rowsOf(db, kept.listId)
  t.is(await nextPurge(db), null)
  await remove(db, gone)
  t.deepEqual(await nextPurge(db), { listId: gone.listId, from: null })
  t.like(await rowsOf(db, gone.listId), { items: 25, values: 25, tags: 25, indexes: 1, purges: 1 })

  t.deepEqual(await purge(db, gone.listId), [10, 10, 5])
  t.deepEqual(await rowsOf(db, gone.listId), { items: 0, values: 0, tags: 0, indexes: 0, purges: 0 })
  t.deepEqual(await rowsOf(db, kept.listId), before)
  t.is(await nextPurge(db), null)
})

test('a batch has no more bytes of data than allowed, but always at least one item', async (t) => {
  const { db } = await testDatabase(t)
  const list = await makeList(db)
  await addManyItems(db, { ...list, count: 7, dataLength: 1_000 })
  await remove(db, list)
  const deleted = async (bytes: number) => (await purgeBatch(db, { ...list, from: null }, { items: 10, bytes })).rows
  t.is(await deleted(3_500), 3)
  t.is(await deleted(10), 1)
  t.is(await deleted(1_000_000), 3)
})

test('lists are purged in the order of their deletion', async (t) => {
  const { db } = await testDatabase(t)
  const lists = [await makeList(db), await makeList(db)]
  for (const [n, list] of lists.toReversed().entries()) {
    await remove(db, list)
    await db.run('update list_purges set deleted_at = ? where list_id = ?', [n, list.listId])
  }
  t.is((await nextPurge(db))?.listId, lists[1]?.listId ?? '')
})

test('two concurrent purges, and a purge that died between two batches, have the same result', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  const list = await makeList(db)
  await addManyItems(db, { ...list, count: 60, tag: 'red' })
  await remove(db, list)
  await purgeBatch(db, { ...list, from: null }, size)
  await Promise.all([purge(db, list.listId), purge(other, list.listId)])
  t.deepEqual(await rowsOf(db, list.listId), { items: 0, values: 0, tags: 0, indexes: 0, purges: 0 })
})

test('a list is not removed by outdated settings, or when it is protected and has items', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const list = await findList(db, at.accountId, at.listId)
  if (!list) return t.fail()
  const attempt = () => outcomeOf(db.transaction((tx) => removeList(tx, list, 0)))
  await db.run('update lists set config_version = 2 where id = ?', [at.listId])
  t.is(await attempt(), 'conflict on list')
  await db.run('update lists set config_version = 1, protected = 1, item_count = 1 where id = ?', [at.listId])
  t.is(await attempt(), 'conflict on list')
  t.is(await nextPurge(db), null)
  await db.run('update lists set item_count = 0 where id = ?', [at.listId])
  t.is(await attempt(), 'committed')
})

test('an item that was validated by a list that is now deleted is not written', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  await remove(db, at)
  t.is(await outcomeOf(committer.commit(itemChange(at))), 'conflict on list')
  t.is((await rowsOf(db, at.listId)).items, 0)
})
