import test from 'ava'
import type { Database } from '#shared/data/database.ts'
import { enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { IdempotencyKey } from '#shared/data/items/idempotency-records.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { alias, outcomeOf } from '../../../support/databases/commits.ts'
import { comparable } from '../../../support/databases/comparable.ts'
import { allEventCounts } from '../../../support/databases/contents/events.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { testBackend, testDatabase } from '../../../support/databases/database.ts'
import type { Teardown } from '../../../support/test-context/teardown.ts'

/** Changes in turn: one item is created, deactivated, updated, activated and deleted, one is created as a draft and deleted, one is deactivated. */
function changesInTurn(at: { accountId: string; listId: string }, suffix: string): ItemChange[] {
  const item = (itemId: string, revision: number, activated: boolean, name: string) => ({
    itemId,
    after: { ...testItem(at, itemId, revision), activated, tags: [name, 'soup'] },
    indexValues: [alias(`${name}${suffix}`)],
  })
  const [one, two, three] = [testId(), testId(), testId()]
  return [
    itemChange(at, item(one, 1, true, 'a')),
    itemChange(at, { ...item(one, 2, false, 'b'), expectedRevision: 1 }),
    itemChange(at, { ...item(one, 3, false, 'b'), expectedRevision: 2, before: { activated: false, size: 16 } }),
    itemChange(at, { ...item(one, 4, true, 'a'), expectedRevision: 3, before: { activated: false, size: 16 } }),
    itemChange(at, { itemId: one, expectedRevision: 4, after: null }),
    itemChange(at, item(two, 1, false, 'a')),
    itemChange(at, { itemId: two, expectedRevision: 1, before: { activated: false, size: 16 }, after: null }),
    itemChange(at, item(three, 1, true, 'a')),
    itemChange(at, { ...item(three, 2, false, 'c'), expectedRevision: 1 }),
  ]
}

/** Commits each of the changes above for this number of items at once. @returns the rows after each, and the announced events */
async function rowsAfterEach(db: Database, committed: Database, items: number) {
  const at = await makeList(db)
  await makeWebhook(db, at)
  const rows: unknown[] = []
  const committer = createCommitter(committed, { announce: (committed) => rows.push(committed) })
  const turns = Array.from({ length: items }, (_, n) => changesInTurn(at, `-${n}`))
  for (const step of turns[0]?.keys() ?? []) {
    await Promise.all(turns.flatMap((turn) => turn[step] ?? []).map((change) => committer.commit(change)))
    for (const table of ['items', 'item_tags', 'index_values', 'event_payloads']) {
      rows.push(await db.all(`select * from ${table} order by 1, 2`))
    }
    rows.push(
      await allEventCounts(db),
      await db.all('select * from lists'),
      await db.all('select * from outbox order by event_id'),
    )
    rows.push(await db.all('select * from events order by id'))
  }
  return rows
}

const transaction: Database['transaction'] = () => Promise.reject(new Error('a transaction began'))

// On a server, only a creation is committed without a group.
for (const items of testBackend === 'sqlite' ? [1, 2, 3] : [1]) {
  test(`concurrent changes of ${items} items leave the same rows as in a group`, async (t) => {
    const [{ db }, { db: other }] = [await testDatabase(t), await testDatabase(t)]
    const few = await rowsAfterEach(db, testBackend === 'sqlite' ? { ...db, transaction } : db, items)
    t.deepEqual(comparable(few), comparable(await rowsAfterEach(other, { ...other, atomicBatch: null }, items)))
    const counted = { item_count: items, deactivated_count: items }
    t.like(await db.get('select item_count, deactivated_count from lists'), counted)
  })
}

test('concurrent creations in several lists of an account count in each list', async (t) => {
  const { db } = await testDatabase(t)
  const [one, other] = [await makeList(db), await makeList(db)]
  await db.run('update lists set account_id = ?, path_key = id', [one.accountId])
  await makeWebhook(db, one)
  const announced: string[] = []
  const committer = createCommitter(testBackend === 'sqlite' ? { ...db, transaction } : db, {
    announce: (committed) => announced.push(...enqueuedEvents(committed)),
  })
  const changes = [other, one, other].map(({ listId }) =>
    itemChange({ ...one, listId }, { indexValues: [alias(testId())] }),
  )
  await Promise.all(changes.map((change) => committer.commit(change)))
  const counts = await db.all('select item_count from lists order by id')
  t.deepEqual(counts, [{ item_count: 1 }, { item_count: 2 }])
  t.deepEqual(await allEventCounts(db), [{ type: 'item-created', entries: 3 }])
  t.deepEqual(announced.toSorted(), changes.map(({ event }) => event.id).toSorted())
})

test('a conflict of one of two concurrent changes leaves the other', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  await committer.commit(itemChange(at, { indexValues: [alias('taken')] }))
  const outdated = { list: { id: at.listId, configVersion: 2 }, indexValues: [alias('free')] }
  for (const [change, outcome] of [
    [outdated, 'conflict on list'],
    [{ indexValues: [alias('taken')] }, 'ITEM_ALIAS_TAKEN'],
  ] as const) {
    const good = itemChange(at, { indexValues: [alias(outcome)] })
    const outcomes = [itemChange(at, change), good].map((each) => outcomeOf(committer.commit(each)))
    t.deepEqual(await Promise.all(outcomes), [outcome, 'committed'])
  }
  t.like(await db.get('select item_count from lists'), { item_count: 3 })
  t.like(await db.get('select count(*) as n from events'), { n: 3 })
})

/** Two items, and a function that commits two changes at the same time. */
async function twoItems(t: Teardown) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const created = [itemChange(at), itemChange(at)] as const
  for (const change of created) await committer.commit(change)
  const commitBoth = (one: Partial<ItemChange>, other: Partial<ItemChange>, otherKey?: IdempotencyKey) =>
    Promise.all([
      outcomeOf(committer.commit(itemChange(at, one))),
      outcomeOf(committer.commit(itemChange(at, other), otherKey)),
    ])
  return { db, at, one: created[0].itemId, other: created[1].itemId, commitBoth }
}

test('the second of two concurrent updates or deletions is a conflict if its item has changed since', async (t) => {
  const { db, at, one, other, commitBoth } = await twoItems(t)
  const update = (itemId: string, from: number) => ({
    itemId,
    expectedRevision: from,
    after: testItem(at, itemId, from + 1),
  })
  t.deepEqual(await commitBoth(update(one, 1), update(other, 2)), ['committed', 'conflict on item'])
  const deletion = (itemId: string) => ({ itemId, expectedRevision: 2, after: null })
  t.deepEqual(await commitBoth(deletion(one), deletion(other)), ['committed', 'conflict on item'])
  t.like(await db.get('select item_count from lists'), { item_count: 1 })
})

test('for two concurrent changes each type of event is counted', async (t) => {
  const { db, at, one, other, commitBoth } = await twoItems(t)
  const change = (itemId: string, type: string) => ({
    itemId,
    expectedRevision: 1,
    after: testItem(at, itemId, 2),
    event: { ...itemChange(at).event, type },
  })
  t.deepEqual(await commitBoth(change(one, 'item-updated'), change(other, 'item-restored')), ['committed', 'committed'])
  t.deepEqual(await allEventCounts(db), [
    { type: 'item-created', entries: 2 },
    { type: 'item-restored', entries: 1 },
    { type: 'item-updated', entries: 1 },
  ])
})

test('a deleted item is not created again from an outdated revision when another is created at the same time', async (t) => {
  const { at, one, other, commitBoth } = await twoItems(t)
  await commitBoth(
    { itemId: one, expectedRevision: 1, after: null },
    { itemId: other, expectedRevision: 1, after: null },
  )
  const again = { itemId: one, after: testItem(at, one, 2) }
  t.deepEqual(await commitBoth({}, again), ['committed', 'conflict on item'])
})

test('an idempotency key of the second of two concurrent changes is stored', async (t) => {
  const { db, at, commitBoth } = await twoItems(t)
  const key = { keyHash: 'k'.repeat(64), subjectId: at.listId, requestHash: 'h'.repeat(64), expiresAt: 9e12 }
  t.deepEqual(await commitBoth({}, {}, key), ['committed', 'committed'])
  t.like(await db.get('select count(*) as n from idempotency_keys'), { n: 1 })
})

test('in concurrent changes of two accounts each account gets its own', async (t) => {
  const { db } = await testDatabase(t)
  const [silent, heard] = [await makeList(db), await makeList(db)]
  await makeWebhook(db, heard)
  const announced: string[] = []
  const committer = createCommitter(db, { announce: (committed) => announced.push(...enqueuedEvents(committed)) })
  const [first, second] = [itemChange(silent), itemChange(heard)]
  await Promise.all([committer.commit(first), committer.commit(second)])
  t.deepEqual(announced, [second.event.id])
  t.deepEqual(await db.all('select event_id from outbox'), [{ event_id: second.event.id }])
})

test('a single change of an item or list that has changed since is a conflict, and leaves nothing', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
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
