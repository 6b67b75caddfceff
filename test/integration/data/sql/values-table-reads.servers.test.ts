import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { readAccountLog } from '#shared/data/events/event-log.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { recordUses } from '#shared/data/sign-in/last-uses.ts'
import { insertRows, rowMapper } from '#shared/data/sql/insert-rows.ts'
import { sql } from '#shared/data/sql/sql.ts'
import { inList } from '#shared/data/sql/statements.ts'
import { addDeliveries, itemChange, makeWebhook, testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'
import { listsNow, makeBareAccount, manyLists, sync } from '../../../support/sync/sync.ts'
import { fanOut } from '../../../support/webhooks/cycles.ts'

/**
 * Rows of each table. A statement may scan such a small table once, but not once for each row of its values table. For
 * SQLite the query plans of all tested statements are checked (`test/support/call-sites`).
 */
const many = 2_000
const most = 5 * many

/** The rows and index entries that the server read for the work. */
async function readsOf(real: Database, work: (db: Database) => Promise<unknown>): Promise<number> {
  const { db, rowsRead } = countRowsRead(real)
  await work(db)
  return rowsRead()
}

async function inWorld(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  return { db, accountId: await makeBareAccount(db) }
}

test('the lists of a sync are found by their names, and updated by their ids', async (t) => {
  const { db, accountId } = await inWorld(t)
  for (let n = 0; n < 4; n++) await sync(db, accountId, named(`many${n}`, many / 4))
  await analyze(db, 'lists', 'indexes', 'events')
  const names = Array.from({ length: 20 }, (_, n) => `many0-${n}`)
  const missing = Array.from({ length: 20 }, (_, n) => `none-${n}`)
  const reads = await readsOf(db, (counted) => listsNow(counted, accountId, [...names, ...missing]))
  t.true(reads <= most, `${reads} to read 20 lists of ${many}`)
  const listId = (await listsNow(db, accountId, ['many0-1']))?.get('many0-1')?.list.id ?? ''
  const commit = (counted: Database) =>
    createCommitter(counted, { announce() {} }).commit(itemChange({ accountId, listId }))
  const ofCommit = await readsOf(db, commit)
  t.true(ofCommit <= most, `${ofCommit} to create an item`)
  const request = { limit: 20, page: 1, order: 'createdAt', direction: 'desc', filters: '{}' } as const
  const ofPage = await readsOf(db, (counted) =>
    readAccountLog(counted, accountId, { request, filters: {}, snapshots: true }),
  )
  t.true(ofPage <= most, `${ofPage} for a page of the event log`)
})

function named(prefix: string, count: number) {
  const { lists } = manyLists(count, 1, 'asc')
  return {
    scope: prefix,
    lists: Object.fromEntries(Object.entries(lists).map(([, list], n) => [`${prefix}-${n}`, list])),
  }
}

test('last uses are stored by the ids of the tokens', async (t) => {
  const { db, accountId } = await inWorld(t)
  const ids = Array.from({ length: many }, () => testId())
  await db.transaction((tx) => insertRows(tx, tokenRows(ids.map((id) => ({ id, accountId })))))
  await analyze(db, 'tokens')
  const uses = ids.slice(0, 10).map((id) => ({ id, at: 5 }))
  const reads = await readsOf(db, (counted) => recordUses(counted, 'tokens', uses))
  t.true(reads <= most, `${reads}`)
})

const tokenRows = rowMapper<{ id: string; accountId: string }>('tokens', {
  id: ({ id }) => id,
  account_id: ({ accountId }) => accountId,
  created_at: () => 0,
  updated_at: () => 0,
  name: () => '',
  description: () => '',
  tags: () => '[]',
  permissions: () => '[]',
  activated: () => 1,
  locked: () => 0,
  token_hash: () => testId(),
})

const queueRows = rowMapper<string>('webhook_queues', { webhook_id: (id) => id, due_at: () => 0 })

test('an event is fanned out by the ids of the matching queues, and old deliveries are subtracted by the ids of theirs', async (t) => {
  const { db, accountId } = await inWorld(t)
  const others = Array.from({ length: many }, () => testId())
  await db.transaction((tx) => insertRows(tx, queueRows(others)))
  const old: string[] = []
  for (let n = 0; n < 10; n++) {
    const webhookId = await makeWebhook(db, { accountId })
    const [first = ''] = await addDeliveries(
      db,
      { accountId, webhookId },
      Array.from({ length: many / 10 }, () => ({})),
    )
    old.push(first)
  }
  await db.run(sql`update deliveries set completed_at = ${9e12} where not (${inList('id', old)})`)
  await analyze(db, 'webhook_queues', 'deliveries', 'event_payloads')
  const ofDeletion = await readsOf(db, async (counted) => {
    t.is((await deleteSettledDeliveries(counted, { from: 0, until: 8e12, rows: 500 })).rows, old.length)
  })
  t.true(ofDeletion <= most, `${ofDeletion} to delete 10 deliveries`)
  await sync(db, accountId, { lists: { a: {} } })
  const list = (await listsNow(db, accountId, ['a']))?.get('a')?.list
  await createCommitter(db, { announce() {} }).commit(itemChange({ accountId, listId: list?.id ?? '' }))
  const ofFanOut = await readsOf(db, (counted) => fanOut(counted))
  t.true(ofFanOut <= most, `${ofFanOut} to fan an event out to 10 webhooks`)
})
