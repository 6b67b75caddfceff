import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { alias, outcomeOf } from '../../support/databases/commits.ts'
import { comparable } from '../../support/databases/comparable.ts'
import { testBackend, testDatabase } from '../../support/databases/database.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../support/databases/rows.ts'

/** A creation, updates that turn the item off and on, and a deletion, each alone; then two more, of which one is turned off. */
function lonely(at: { accountId: string; listId: string }): ItemChange[] {
  const item = (itemId: string, revision: number, activated: boolean, name: string) => ({
    itemId,
    after: { ...testItem(at, itemId, revision), activated, tags: [name, 'soup'] },
    indexValues: [alias(name)],
  })
  const [one, two, three] = [testId(), testId(), testId()]
  return [
    itemChange(at, item(one, 1, true, 'a')),
    itemChange(at, { ...item(one, 2, false, 'b'), expectedRevision: 1 }),
    itemChange(at, { ...item(one, 3, false, 'b'), expectedRevision: 2, wasActivated: false }),
    itemChange(at, { ...item(one, 4, true, 'a'), expectedRevision: 3, wasActivated: false }),
    itemChange(at, { itemId: one, expectedRevision: 4, after: null }),
    itemChange(at, item(two, 1, false, 'a')),
    itemChange(at, { itemId: two, expectedRevision: 1, wasActivated: false, after: null }),
    itemChange(at, item(three, 1, true, 'a')),
    itemChange(at, { ...item(three, 2, false, 'c'), expectedRevision: 1 }),
  ]
}

async function rowsAfterEach(db: Database, committed: Database) {
  const at = await makeList(db)
  await makeWebhook(db, at)
  const committer = createCommitter(committed, { onCommitted() {} })
  const rows: unknown[] = []
  for (const change of lonely(at)) {
    await committer.commit(change)
    for (const table of ['items', 'item_tags', 'index_values', 'event_counts', 'event_payloads']) {
      rows.push(await db.all(`select * from ${table} order by 1, 2`))
    }
    rows.push(await db.all('select * from lists'), await db.all('select * from outbox order by event_id'))
    rows.push(await db.all('select * from events order by id'))
  }
  return rows
}

test('a change that is committed alone leaves the same rows as in a group', async (t) => {
  const [{ db }, { db: other }] = [await testDatabase(t), await testDatabase(t)]
  const transaction: Database['transaction'] = () => Promise.reject(new Error('a transaction began'))
  const alone = await rowsAfterEach(db, testBackend === 'sqlite' ? { ...db, transaction } : db)
  t.deepEqual(comparable(alone), comparable(await rowsAfterEach(other, { ...other, writeTogether: null })))
  t.like(await db.get('select item_count, deactivated_count from lists'), { item_count: 1, deactivated_count: 1 })
})

test('a change alone of an item or a list that has changed since is a conflict, and leaves nothing', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { onCommitted() {} })
  const created = itemChange(at, { indexValues: [alias('a')] })
  await committer.commit(created)
  const { itemId } = created
  const newer = { id: at.listId, configVersion: 2 }
  const after = testItem(at, itemId, 3)
  for (const [change, conflict] of [
    [{ expectedRevision: 2, after }, 'conflict on item'],
    [{ expectedRevision: 2, after: null }, 'conflict on item'],
    [{ expectedRevision: 1, after: testItem(at, itemId, 2), list: newer }, 'conflict on list'],
    [{ expectedRevision: 1, after: null, list: newer }, 'conflict on list'],
  ] as const) {
    t.is(await outcomeOf(committer.commit(itemChange(at, { itemId, ...change }))), conflict)
  }
  t.like(await db.get('select revision from items'), { revision: 1 })
  t.like(await db.get('select count(*) as n from index_values'), { n: 1 })
  t.like(await db.get('select count(*) as n from events'), { n: 1 })
})
