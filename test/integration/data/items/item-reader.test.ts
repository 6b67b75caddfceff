import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { createItemReader } from '#shared/data/items/item-reader.ts'
import { itemChange, makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

/** The same database, and how many reads were sent to it. */
function countReads(db: Database): { db: Database; sent(): number } {
  let n = 0
  const all: Database['all'] = (query, bindings) => {
    n++
    return db.all(query, bindings)
  }
  return { db: { ...db, all }, sent: () => n }
}

async function makeItems(db: Database, at: { accountId: string; listId: string }, count: number): Promise<string[]> {
  const committer = createCommitter(db, { announce() {} })
  const ids = Array.from({ length: count }, testId)
  await Promise.all(ids.map((itemId) => committer.commit(itemChange(at, { itemId }))))
  return ids
}

test('items of one list that are requested together are read with one statement, each for its caller', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const ids = await makeItems(db, at, 10)
  const { db: counting, sent } = countReads(db)
  const read = createItemReader(counting)
  const wanted = [...ids, testId(), ids[0] ?? '', '']
  const found = await Promise.all(wanted.map((itemId) => read({ ...at, itemId })))
  t.deepEqual(
    found.map((lookup) => lookup?.item?.id),
    [...ids, undefined, ids[0], undefined],
  )
  t.true(found.every((lookup) => lookup?.configVersion === 1))
  t.is(sent(), 1)
})

test('a statement reads at most 16 items, of one list', async (t) => {
  const { db } = await testDatabase(t)
  const [one, other] = [await makeList(db), await makeList(db)]
  const wanted = [
    ...(await makeItems(db, one, 33)).map((itemId) => ({ ...one, itemId })),
    ...(await makeItems(db, other, 2)).map((itemId) => ({ ...other, itemId })),
  ]
  const { db: counting, sent } = countReads(db)
  const read = createItemReader(counting)
  const found = await Promise.all(wanted.map(read))
  t.deepEqual(
    found.map((lookup) => lookup?.item?.listId),
    wanted.map(({ listId }) => listId),
  )
  t.is(sent(), 4)
})

test('a deleted list, or one of another account, does not affect reads of other lists', async (t) => {
  const { db } = await testDatabase(t)
  const [mine, theirs] = [await makeList(db), await makeList(db)]
  const [itemId = ''] = await makeItems(db, mine, 1)
  const read = createItemReader(db)
  const found = await Promise.all([
    read({ ...mine, listId: testId(), itemId }),
    read({ ...mine, listId: theirs.listId, itemId }),
    read({ ...theirs, itemId }),
    read({ ...mine, itemId }),
  ])
  t.deepEqual(
    found.map((lookup) => lookup && (lookup.item?.id ?? 'no item')),
    [null, null, 'no item', itemId],
  )
})

test('an error of the database reaches every caller, and the next read starts anew', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const [itemId = ''] = await makeItems(db, at, 1)
  let broken = true
  const all: Database['all'] = (query, bindings) =>
    broken ? Promise.reject(new Error('away')) : db.all(query, bindings)
  const read = createItemReader({ ...db, all })
  const results = await Promise.allSettled([read({ ...at, itemId }), read({ ...at, itemId: testId() })])
  t.deepEqual(
    results.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  broken = false
  t.is((await read({ ...at, itemId }))?.item?.id, itemId)
})
