import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { eventCountRows, readEventCounts } from '#shared/data/events/event-counts.ts'
import { listEventPartitions } from '#shared/data/events/event-retention.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { itemChange, makeList, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'

/** A database whose transactions stay open after all their writes, until `release` is called. */
function heldOpen(db: Database) {
  const written = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  const transaction: Database['transaction'] = (work) =>
    db.transaction(async (tx) => {
      const result = await work(tx)
      written.resolve()
      await released.promise
      return result
    })
  return { held: { ...db, atomicBatch: null, transaction }, written: written.promise, release: released.resolve }
}

test('a commit does not wait for an uncommitted one to another list of its account', async (t) => {
  const { db } = await testDatabase(t)
  const [one, other] = [await makeList(db), await makeList(db)]
  const { accountId } = one
  await db.run('update lists set account_id = ?, path_key = id', [accountId])
  const create = (listId: string, digit: string) => {
    const change = itemChange({ accountId, listId })
    return { ...change, event: { ...change.event, id: testId().slice(0, -1) + digit } }
  }
  const { held, written, release } = heldOpen(db)
  const open = createCommitter(held, { announce() {} }).commit(create(one.listId, 'a'))
  await written
  const committer = createCommitter(db, { announce() {} })
  t.is(await outcomeOf(committer.commit(create(other.listId, 'b'))), 'committed')
  t.deepEqual(await readEventCounts(db, accountId), [{ type: 'item-created', entries: 1 }], 'the first is still open')
  release()
  t.is(await outcomeOf(open), 'committed')
  t.deepEqual(await readEventCounts(db, accountId), [{ type: 'item-created', entries: 2 }])
  t.deepEqual(await wrongEventCounts(db), [])
})

test('counts and partitions are read only from the rows of one account and the requested types', async (t) => {
  const { db: real } = await testDatabase(t)
  const [accounts, types, shards] = [20, 10, 16]
  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n)
  const counts = numbers(accounts).flatMap((account) =>
    numbers(types).flatMap((type) =>
      numbers(shards).map((shard) => [`account-${account}`, `type-${type}`, shard, 1] as const),
    ),
  )
  await real.transaction((tx) => insertRows(tx, eventCountRows(counts.map((count) => [...count]))))
  await analyze(real, 'event_count_shards', 'event_counts')
  const { db, rowsRead } = countRowsRead(real)
  const found = await readEventCounts(db, 'account-7')
  t.deepEqual(
    found,
    numbers(types).map((type) => ({ type: `type-${type}`, entries: shards })),
  )
  t.true(rowsRead() <= 3 * types * shards, `${rowsRead()}`)
  const before = rowsRead()
  const [first] = await listEventPartitions(db, { after: null, limit: 1 })
  const partitions = await listEventPartitions(db, { after: first ?? null, limit: 5 })
  t.is(partitions.length, 5)
  t.true(rowsRead() - before <= 3 * 6 * shards, `${rowsRead() - before}`)
})
