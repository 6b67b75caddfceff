import test, { type ExecutionContext } from 'ava'
import { purgeValues, type ValuePurge } from '#shared/data/index-builds/value-purge.ts'
import { countListsByScope, exportedLists, findExported } from '#shared/data/lists/exported-lists.ts'
import { type ListSet, readListPage } from '#shared/data/lists/list-page.ts'
import { type ListPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import { readSyncState } from '#shared/data/lists/schema-sync.ts'
import { atMost } from '../../../support/assertions/bounds.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { makeList } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { assertBatchesReadAlike } from '../../../support/databases/questions/batch-reads.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { makeBareAccount, manyLists, sync } from '../../../support/sync/sync.ts'

test('calls for few of many lists read only those: by tag, an export of one, the state that a plan needs', async (t) => {
  const { db: real } = await testDatabase(t)
  const accountId = await makeBareAccount(real)
  await sync(real, accountId, manyLists(1_500, 0, 'asc'))
  await sync(real, accountId, { scope: 'app', lists: { one: { tags: ['rare'] }, two: {} } })
  await analyze(real, 'lists', 'list_tags', 'indexes')
  const set: ListSet = { accountId, visible: { rest: true, except: [] }, activatedOnly: true, filters: {} }
  const rare = { ...set, filters: { tagged: [['rare']] } }
  async function readsFew(what: string, read: (db: typeof real) => Promise<number>, found: number): Promise<void> {
    const { db, rowsRead } = countRowsRead(real)
    t.is(await read(db), found, what)
    atMost(t, rowsRead(), 100, `rows read for ${what}`)
  }
  for (const order of ['createdAt', 'itemCount'] as const) {
    const request = { limit: 20, direction: 'desc', filters: '', order, page: 1 } as const
    await readsFew(`tagged by ${order}`, async (db) => (await readListPage(db, rare, request)).data.length, 1)
  }
  await readsFew(
    'an export of one',
    async (db) => {
      const { lists, missing } = await findExported(db, set, ['one', 'gone'])
      await countListsByScope(db, lists)
      return missing.length + (await Array.fromAsync(exportedLists(db, lists, 'app'))).length
    },
    2,
  )
  const prune = { accountId, pathKeys: ['two'], managedBy: 'app' }
  await readsFew('a plan with prune', async (db) => (await readSyncState(db, prune)).size, 2)
})

const perBatch = 200

async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  await addManyItems(db, { ...at, count: 6_000, tag: 'red', keyOf: (n) => (n % 3 === 0 ? null : `key ${n % 500}`) })
  await analyze(db, 'items', 'index_values', 'item_tags')
  return { db, at }
}

test('each batch of the purge of a list reads as much as the first one', async (t) => {
  const { db, at } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: { listId: at.listId, from: null } as ListPurge,
    async batch(counted, purge) {
      const { more, position } = await purgeBatch(counted, purge, { items: perBatch, bytes: 1_000_000 })
      return { next: more ? { ...purge, from: position } : null }
    },
  })
})

test('each batch of values without an index reads as much as the first one', async (t) => {
  const { db, at } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: { valuesId: at.listId, from: null } as ValuePurge,
    async batch(counted, purge) {
      const { more, position } = await purgeValues(counted, purge, perBatch)
      return { next: more ? { ...purge, from: position } : null }
    },
  })
})
