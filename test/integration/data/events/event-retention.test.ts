import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { readSubjectLog } from '#shared/data/events/event-log.ts'
import { deleteOldEvents, listEventPartitions } from '#shared/data/events/event-retention.ts'
import { logEvent, logStory, wrongEventCounts } from '../../../support/databases/contents/events.ts'
import { makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const now = Date.now()
const day = 86_400_000
const old = now - 91 * day
const limit = now - 90 * day

async function world(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  return { db, dataDir, list: await makeList(db) }
}

/** Processes every partition to its end, as the job does. @returns how many entries each batch deleted */
async function retain(db: Database): Promise<number[]> {
  const deleted: number[] = []
  for (const partition of await listEventPartitions(db, { after: null, limit: 500 })) {
    for (let at: typeof partition | null = partition; at; ) {
      const step = await deleteOldEvents(db, at, { createdUntil: limit, rows: 200 })
      if (step.next) deleted.push(step.deleted)
      at = step.next
    }
  }
  return deleted
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
const updates = (count: number) => Array<'updated'>(count).fill('updated')

async function revisions(db: Database, itemId: string): Promise<number[]> {
  const rows = await db.all<{ revision: number }>('select revision from events where model_id = ? order by revision', [
    itemId,
  ])
  return rows.map(({ revision }) => revision)
}

test('old entries are deleted, others stay, and the counts follow', async (t) => {
  const { db, list } = await world(t)
  const { accountId } = list
  await logEvent(db, { accountId, type: 'webhook-created', createdAt: limit })
  await logEvent(db, { accountId, type: 'webhook-created', createdAt: limit + 1 })
  await logEvent(db, { accountId, type: 'token-created', stream: 'token', createdAt: old })
  await logStory(db, list, { steps: ['created', 'updated', 'deleted'], at: old })
  t.is(sum(await retain(db)), 5)
  const left = await db.all('select type, created_at from events')
  t.deepEqual(left, [{ type: 'webhook-created', created_at: limit + 1 }])
  t.deepEqual(await wrongEventCounts(db), [])
  t.is(sum(await retain(db)), 0)
})

test('the last 100 versions of an existing item stay, however old, and no more', async (t) => {
  const { db, list } = await world(t)
  const { itemId } = await logStory(db, list, { steps: ['created', ...updates(119)], at: old })
  const fresh = await logStory(db, list, { steps: ['created'], at: old })
  t.is(sum(await retain(db)), 20)
  const left = await revisions(db, itemId)
  t.deepEqual([left.length, left[0], left.at(-1)], [100, 21, 120])
  t.deepEqual(await revisions(db, fresh.itemId), [1])
  t.deepEqual(await wrongEventCounts(db), [])
  const request = { page: 1, limit: 1, order: 'createdAt', direction: 'desc', filters: '{}' } as const
  const subject = { accountId: list.accountId, stream: 'item', modelId: itemId } as const
  t.like(await readSubjectLog(db, subject, { request, filters: {}, snapshots: false }), { total: 100 })
})

test('a deletion is not a version: a restored item keeps 100 versions in addition to its deletions', async (t) => {
  const { db, list } = await world(t)
  const steps = ['created', ...updates(60), 'deleted', 'restored', ...updates(60)] as const
  const { itemId } = await logStory(db, list, { steps, at: old })
  await retain(db)
  const types = await db.all<{ type: string }>('select type from events where model_id = ?', [itemId])
  t.is(types.filter(({ type }) => type !== 'item-deleted').length, 100)
  t.is(types.length, 101)
})

test('versions beyond the newest are deleted when a later event of the item expires', async (t) => {
  const { db, list } = await world(t)
  const { itemId } = await logStory(db, list, { steps: ['created', ...updates(49)], at: old - day })
  t.is(sum(await retain(db)), 0)
  await logStory(db, list, { itemId, from: 50, steps: updates(1), at: old })
  await logStory(db, list, { itemId, from: 51, steps: updates(100), at: now })
  t.is(sum(await retain(db)), 51)
  t.is((await revisions(db, itemId))[0], 52)
})

test('everything of a deleted item is deleted when its deletion expires', async (t) => {
  const { db, list } = await world(t)
  const { itemId } = await logStory(db, list, { steps: ['created', 'updated'], at: old - day })
  t.is(sum(await retain(db)), 0)
  await logStory(db, list, { itemId, from: 2, steps: ['deleted'], at: old })
  t.is(sum(await retain(db)), 3)
  t.deepEqual(await revisions(db, itemId), [])
})

test('items that were deleted with their list leave nothing once the deletion of the list expires', async (t) => {
  const { db, list } = await world(t)
  const { accountId, listId } = list
  const ofList = { accountId, stream: 'list', modelId: listId, listId } as const
  await logEvent(db, { ...ofList, type: 'list-created', createdAt: old - day })
  const { itemId } = await logStory(db, list, { steps: ['created', 'updated'], at: old - day })
  t.is(sum(await retain(db)), 1)
  await db.run('delete from items where list_id = ?', [listId])
  await logEvent(db, { ...ofList, type: 'list-deleted', createdAt: old })
  t.is(sum(await retain(db)), 1)
  t.is(sum(await retain(db)), 2)
  t.deepEqual(await revisions(db, itemId), [])
  t.deepEqual(await wrongEventCounts(db), [])
})

test('an event in the outbox stays, and is deleted once it is fanned out', async (t) => {
  const { db, list } = await world(t)
  await makeWebhook(db, list)
  await logStory(db, list, { steps: ['created', 'deleted'], at: old })
  t.is(sum(await retain(db)), 0)
  await db.run('delete from outbox')
  t.is(sum(await retain(db)), 2)
})

test('an item that is restored while its events are being deleted keeps them', async (t) => {
  const { db, list } = await world(t)
  const { itemId } = await logStory(db, list, { steps: ['created', 'deleted'], at: old })
  const racing: Database = {
    ...db,
    async transaction(work) {
      await logStory(db, list, { itemId, from: 2, live: false, steps: ['restored'], at: now })
      return db.transaction(work)
    },
  }
  const [partition] = await listEventPartitions(db, { after: null, limit: 1 })
  if (!partition) return t.fail('no partition')
  t.is((await deleteOldEvents(racing, partition, { createdUntil: limit, rows: 200 })).deleted, 0)
  t.deepEqual(await revisions(db, itemId), [1, 2, 3])
})

test('two processes that process the same partition delete and count each entry once', async (t) => {
  const { db, dataDir, list } = await world(t)
  const other = await anotherConnection(t, dataDir)
  for (let n = 0; n < 30; n++) await logStory(db, list, { steps: ['created', 'deleted'], at: old + n })
  const deleted = await Promise.all([retain(db), retain(other)])
  t.is(sum(deleted.flat()), 60)
  t.deepEqual(await wrongEventCounts(db), [])
})

test('one transaction deletes at most the requested number of entries and 2 MiB of snapshots, at least one entry', async (t) => {
  const { db, list } = await world(t)
  for (let n = 0; n < 450; n++)
    await logEvent(db, { accountId: list.accountId, type: 'webhook-updated', createdAt: old + n })
  t.deepEqual(await retain(db), [200, 200, 50])
  const snapshot = JSON.stringify('x'.repeat(800_000))
  for (let n = 0; n < 5; n++) await logStory(db, list, { steps: ['created', 'deleted'], at: old, snapshot })
  const steps = await retain(db)
  t.is(sum(steps), 10)
  t.is(Math.max(...steps), 2)
  const huge = JSON.stringify('x'.repeat(3_000_000))
  await logEvent(db, { accountId: list.accountId, type: 'webhook-updated', createdAt: old + 1_000, snapshot: huge })
  t.is(sum(await retain(db)), 1)
})

test('a position stored by a fast clock does not keep entries from being examined', async (t) => {
  const { db, list } = await world(t)
  const { accountId } = list
  await logEvent(db, { accountId, type: 'webhook-updated', createdAt: old })
  const ahead = [accountId, 'webhook-updated', now + 365 * day]
  await db.run('insert into event_counts (account_id, type, entries, examined_at) values (?, ?, 0, ?)', ahead)
  t.is(sum(await retain(db)), 1)
})

test('partitions are listed account by account, and kept entries are not examined twice', async (t) => {
  const { db, list } = await world(t)
  await logStory(db, list, { steps: ['created'], at: old })
  await logStory(db, await makeList(db), { steps: ['created', 'updated'], at: old })
  const [first] = await listEventPartitions(db, { after: null, limit: 1 })
  const rest = await listEventPartitions(db, { after: first ?? null, limit: 10 })
  t.is(rest.length, 2)
  t.is((await retain(db)).length, 3)
  t.deepEqual(await retain(db), [])
})
