import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { countEvents, type EventCount, readEventCounts } from '#shared/data/events/event-counts.ts'
import { deleteOldEvents, listEventPartitions } from '#shared/data/events/event-retention.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { logEvent, logStory, wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { itemChange, makeList, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const now = Date.now()
const limit = now - 1_000

/** An account with several lists. */
async function makeLists(db: Database, count: number) {
  const lists = []
  for (let n = 0; n < count; n++) lists.push(await makeList(db))
  const accountId = lists[0]?.accountId ?? ''
  await db.run('update lists set account_id = ?, path_key = id', [accountId])
  return { accountId, listIds: lists.map(({ listId }) => listId) }
}

type At = { accountId: string; listId: string }

/** The creation of an item, its update and its deletion. */
function story(at: At): ItemChange[] {
  const itemId = testId()
  const after = [testItem(at, itemId, 1), testItem(at, itemId, 2), null]
  return ['item-created', 'item-updated', 'item-deleted'].map((type, n) => {
    const change = itemChange(at, { itemId, after: after[n] ?? null, expectedRevision: n === 0 ? null : n })
    return { ...change, event: { ...change.event, type, createdAt: limit + 1 } }
  })
}

/** Commits items as one process does: in groups of two, and in units. */
async function commitItems(db: Database, lists: readonly At[]): Promise<void> {
  const committer = createCommitter(db, { announce() {} })
  for (const at of lists) {
    const [one, other] = [story(at), story(lists[0] ?? at)]
    for (const [n, change] of one.entries()) {
      await Promise.all([change, ...other.slice(n, n + 1)].map((each) => committer.commit(each)))
    }
    await committer.commitAll([...story(at), ...story(at)])
  }
  await committer.close()
}

async function deleteOld(db: Database): Promise<number> {
  let deleted = 0
  for (const partition of await listEventPartitions(db, { after: null, limit: 500 })) {
    for (let at: typeof partition | null = partition; at; ) {
      const step = await deleteOldEvents(db, at, { createdUntil: limit, rows: 3 })
      deleted += step.deleted
      at = step.next
    }
  }
  return deleted
}

test('counts are exact while processes commit to the lists of an account, others log events and retention deletes', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const { accountId, listIds } = await makeLists(db, 4)
  const lists = listIds.map((listId) => ({ accountId, listId }))
  for (const at of lists) await logStory(db, at, { steps: ['created', 'updated', 'deleted'], at: now - 2_000 })
  const processes = [db, await anotherConnection(t, dataDir), await anotherConnection(t, dataDir)]
  const logging = async () => {
    for (let n = 0; n < 20; n++) await logEvent(db, { accountId, type: 'token-updated', stream: 'token' })
  }
  const [deleted] = await Promise.all([
    deleteOld(db),
    logging(),
    ...processes.map((process, n) => commitItems(process, [...lists.slice(n), ...lists.slice(0, n)])),
  ])
  t.is(deleted, 3 * 4)
  const each = 3 * 4 * 4
  t.deepEqual(await readEventCounts(db, accountId), [
    { type: 'item-created', entries: each },
    { type: 'item-deleted', entries: each },
    { type: 'item-updated', entries: each },
    { type: 'token-updated', entries: 20 },
  ])
  t.deepEqual(await wrongEventCounts(db), [])
  const shards = await db.all('select distinct shard from event_count_shards')
  t.true(shards.length > 1 && shards.length <= 16, String(shards.length))
})

/** Logs and counts an entry as versions without shards do. */
async function logAsBefore(db: Database, accountId: string, type: 'token-created' | 'webhook-updated'): Promise<void> {
  await logEvent(db, { accountId, type, createdAt: now - 2_000 })
  await db.run('delete from event_count_shards where type = ?', [type])
  await db.run('insert into event_counts (account_id, type, entries) values (?, ?, 1)', [accountId, type])
}

test('counts of an earlier version are added, and retention finds the types that only one of the two has counted', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  await logEvent(db, { accountId, type: 'webhook-created', createdAt: now - 2_000 })
  await logAsBefore(db, accountId, 'token-created')
  await logAsBefore(db, accountId, 'webhook-updated')
  await logEvent(db, { accountId, type: 'webhook-updated', createdAt: now })
  t.deepEqual(await readEventCounts(db, accountId), [
    { type: 'token-created', entries: 1 },
    { type: 'webhook-created', entries: 1 },
    { type: 'webhook-updated', entries: 2 },
  ])
  const [first] = await listEventPartitions(db, { after: null, limit: 1 })
  const others = await listEventPartitions(db, { after: first ?? null, limit: 2 })
  t.deepEqual(
    [first, ...others].map((partition) => partition?.type),
    ['token-created', 'webhook-created', 'webhook-updated'],
  )
  t.is(await deleteOld(db), 3)
  t.deepEqual(
    (await readEventCounts(db, accountId)).map(({ entries }) => entries),
    [0, 0, 1],
  )
  t.deepEqual(await wrongEventCounts(db), [])
})

test('a shard may be below zero: only the sum counts', async (t) => {
  const { db } = await testDatabase(t)
  const { accountId } = await makeList(db)
  const counts = (shard: number, entries: number): EventCount[] => [[accountId, 'item-created', shard, entries]]
  await db.transaction((tx) => countEvents(tx, counts(0, 5)))
  await db.transaction((tx) => countEvents(tx, counts(1, -3)))
  t.deepEqual(await readEventCounts(db, accountId), [{ type: 'item-created', entries: 2 }])
})
