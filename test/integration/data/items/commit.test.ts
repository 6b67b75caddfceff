import test, { type ExecutionContext } from 'ava'
import type { Database, Transaction } from '#shared/data/database.ts'
import { type Committed, enqueuedEvents } from '#shared/data/events/committed.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { renderQuery } from '#shared/data/sql/render.ts'
import { beginListenerEpoch } from '#shared/data/webhooks/webhooks.ts'
import { alias, outcomeOf } from '../../../support/databases/commits.ts'
import { logStory } from '../../../support/databases/contents/events.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testBackend, testDatabase } from '../../../support/databases/database.ts'
import { isLockAwaited } from '../../../support/databases/lock-waits.ts'
import { openTransaction } from '../../../support/databases/transactions.ts'

/** The same database, and the number of transactions that were begun on it. */
function countTransactions(db: Database): { db: Database; begun(): number } {
  let n = 0
  const transaction: Database['transaction'] = (work) => {
    n++
    return db.transaction(work)
  }
  const { atomicBatch: batch } = db
  const atomicBatch: Database['atomicBatch'] =
    batch &&
    ((writes) => {
      n++
      return batch(writes)
    })
  return { db: { ...db, transaction, atomicBatch }, begun: () => n }
}

/** The same database; `reached` resolves when a transaction on it sends a statement that contains `part`. */
function watchFor(db: Database, part: string): { db: Database; reached: Promise<void> } {
  const { promise, resolve } = Promise.withResolvers<void>()
  const transaction: Database['transaction'] = (work) =>
    db.transaction((tx) => {
      const all: Transaction['all'] = (query, bindings) => {
        if (renderQuery(db.dialect, query).text.includes(part)) resolve()
        return tx.all(query, bindings)
      }
      return work({ ...tx, all })
    })
  const { atomicBatch: batch } = db
  const atomicBatch: Database['atomicBatch'] =
    batch &&
    ((writes) => {
      if (writes.some(({ statement }) => statement(db.dialect).text.includes(part))) resolve()
      return batch(writes)
    })
  return { db: { ...db, transaction, atomicBatch }, reached: promise }
}

test('changes that arrive together commit together, with the counter of their list', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  await Promise.all(Array.from({ length: 200 }, () => committer.commit(itemChange(at))))
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, 200)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 200)
  t.is((await db.get<{ n: number }>('select count(*) as n from events'))?.n, 200)
})

test('a failing member leaves the others committed', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      if (n === 7) return outcomeOf(committer.commit(itemChange(at, { list: { id: at.listId, configVersion: 99 } })))
      if (n === 20) return outcomeOf(committer.commit(itemChange(at, { expectedRevision: 5 })))
      return outcomeOf(committer.commit(itemChange(at)))
    }),
  )
  t.is(outcomes[7], 'conflict on list')
  t.is(outcomes[20], 'conflict on item')
  t.is(outcomes.filter((outcome) => outcome === 'committed').length, 28)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 28)
})

test('of equal alias values in one group the first is committed', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const outcomes = await Promise.all(
    ['a', 'b', 'a', 'c'].map((value) => outcomeOf(committer.commit(itemChange(at, { indexValues: [alias(value)] })))),
  )
  t.deepEqual(outcomes, ['committed', 'committed', 'ITEM_ALIAS_TAKEN', 'committed'])
})

test('of two updates of one item from the same revision one wins, even in another process', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const other = createCommitter(await anotherConnection(t, dataDir), { announce() {} })
  const committer = createCommitter(db, { announce() {} })
  const itemId = testId()
  await committer.commit(itemChange(at, { itemId, indexValues: [alias('a')] }))
  const update = () =>
    itemChange(at, { itemId, expectedRevision: 1, after: testItem(at, itemId, 2), indexValues: [alias('b')] })
  const commits = [committer.commit(update()), other.commit(update()), committer.commit(update())]
  const outcomes = await Promise.all(commits.map(outcomeOf))
  t.deepEqual(outcomes.toSorted(), ['committed', 'conflict on item', 'conflict on item'])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
  t.is((await db.get<{ n: number }>('select count(*) as n from index_values'))?.n, 1)
})

test('deleting an item deletes its index values and decreases the counter', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const itemId = testId()
  await committer.commit(itemChange(at, { itemId, indexValues: [alias('a')] }))
  await committer.commit(itemChange(at, { itemId, expectedRevision: 1, after: null }))
  t.deepEqual(await db.all('select * from items'), [])
  t.deepEqual(await db.all('select * from index_values'), [])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 0)
})

test('payload and outbox rows are written only for accounts with an active webhook, and announced after the commit', async (t) => {
  const { db } = await testDatabase(t)
  const silent = await makeList(db)
  const heard = await makeList(db)
  await makeWebhook(db, heard)
  const groups: (readonly Committed[])[] = []
  const committer = createCommitter(db, { announce: (committed) => groups.push(committed) })
  const changes = [itemChange(silent), itemChange(heard), itemChange(silent)]
  await Promise.all(changes.map((change) => committer.commit(change)))
  const eventId = changes[1]?.event.id
  t.deepEqual(enqueuedEvents(groups.flat()), [eventId])
  t.deepEqual(await db.all('select event_id, listener_epoch from outbox'), [{ event_id: eventId, listener_epoch: 1 }])
  t.deepEqual(await db.all('select event_id, body from event_payloads'), [
    { event_id: eventId, body: changes[1]?.payload },
  ])
})

test('beyond its bound the queue responds that the service is unavailable, and queued changes are committed', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { announce() {} })
  const results = await Promise.allSettled(Array.from({ length: 2100 }, () => committer.commit(itemChange(at))))
  const rejected = results.filter((result) => result.status === 'rejected')
  t.is(rejected.length, 100)
  t.true(rejected.every(({ reason }) => reason.name === 'SERVICE_UNAVAILABLE' && reason.retryAfterSeconds === 1))
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 2000)
})

test('two processes that commit as fast as they can lose nothing', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const committers = [db, await anotherConnection(t, dataDir)].map((each) => createCommitter(each, { announce() {} }))
  await Promise.all(
    committers.flatMap((committer) => Array.from({ length: 500 }, () => committer.commit(itemChange(at)))),
  )
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, 1000)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1000)
})

test('a group is bounded in count and in bytes', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  await makeWebhook(db, at)
  const groups: number[] = []
  const committer = createCommitter(db, { announce: (committed) => groups.push(enqueuedEvents(committed).length) })
  await Promise.all(Array.from({ length: 130 }, () => committer.commit(itemChange(at))))
  t.deepEqual(groups, [64, 64, 2])

  groups.length = 0
  const payload = 'x'.repeat(1024 * 1024)
  await Promise.all(Array.from({ length: 8 }, () => committer.commit(itemChange(at, { payload }))))
  t.deepEqual(groups, [3, 3, 2])
})

test('a group is limited in time: changes that arrive while one is written are in the next, and none waits for more to arrive', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const { db: counting, begun } = countTransactions(db)
  const committer = createCommitter(counting, { announce() {} })
  const first = committer.commit(itemChange(at))
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  t.is(begun(), 1)
  const others = Array.from({ length: 20 }, () => committer.commit(itemChange(at)))
  await Promise.all([first, ...others])
  t.is(begun(), 2)
})

test('an item is rejected if its list changes between its validation and its commit', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const [at, calm] = [await makeList(db), await makeList(db)]
  const committer = createCommitter(db, { announce() {} })
  const other = await openTransaction(await anotherConnection(t, dataDir), (tx) =>
    tx.run('update lists set config_version = config_version + 1 where id = ?', [at.listId]),
  )
  const outcomes = Promise.all([at, calm, at, calm].map((list) => outcomeOf(committer.commit(itemChange(list)))))
  await other.end()
  t.deepEqual(await outcomes, ['conflict on list', 'committed', 'conflict on list', 'committed'])
  t.deepEqual(await db.all('select id, item_count from lists order by id'), [
    { id: at.listId, item_count: 0 },
    { id: calm.listId, item_count: 2 },
  ])
})

for (const changes of [1, 2]) {
  test(`a webhook that becomes active while ${changes} changes are written gets their events, or they were committed before`, async (t) => {
    const { db, dataDir } = await testDatabase(t)
    const at = await makeList(db)
    const { db: watched, reached } = watchFor(db, 'from accounts')
    const committer = createCommitter(watched, { announce() {} })
    const another = await anotherConnection(t, dataDir)
    const webhookId = await makeWebhook(db, at)
    await db.run('update webhooks set activated = 0 where id = ?', [webhookId])
    const activation = await openTransaction(another, async (tx) => {
      const { epoch } = await beginListenerEpoch(tx, at.accountId)
      await tx.run('update webhooks set activated = 1, active_epoch = ? where id = ?', [epoch, webhookId])
    })
    const group = Array.from({ length: changes }, () => itemChange(at))
    const committed = Promise.all(group.map((change) => committer.commit(change)))
    // On SQLite nothing is written before the other transaction has ended; on a server the commit waits for the account.
    if (testBackend !== 'sqlite') await reached
    for (let n = 0; n < 10; n++) await db.get('select 1 as one')
    await activation.end()
    await committed
    const ids = group.map(({ event }) => event.id).sort()
    const rows = ids.map((event_id) => ({ event_id, listener_epoch: 2 }))
    t.deepEqual(await db.all('select event_id, listener_epoch from outbox order by event_id'), rows)
    t.is((await db.get<{ n: number }>('select count(*) as n from event_payloads'))?.n, changes)
  })
}

for (const accounts of [1, 2]) {
  test(`a webhook that becomes active after a group of ${accounts} accounts has looked for listeners waits for its commit`, async (t) => {
    const { db, dataDir } = await testDatabase(t)
    const lists = [await makeList(db), await makeList(db)].slice(0, accounts)
    const another = await anotherConnection(t, dataDir)
    const order: string[] = []
    let activation: Promise<unknown> | undefined
    const activate = () => another.transaction((tx) => beginListenerEpoch(tx, lists[0]?.accountId ?? ''))
    const transaction: Database['transaction'] = (work) =>
      db.transaction(async (tx) => {
        const result = await work(tx)
        activation ??= activate().then(() => order.push('active'))
        for (let n = 0; n < 50 && !(await isLockAwaited(tx)) && order.length === 0; n++) await tx.get('select 1 as one')
        order.push('committing')
        return result
      })
    const committer = createCommitter({ ...db, transaction, atomicBatch: null }, { announce() {} })
    await Promise.all(lists.map((at) => committer.commit(itemChange(at))))
    await activation
    t.deepEqual(order, ['committing', 'active'])
  })
}

test('of aliases that two processes use in opposite orders, each is stored once', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const committers = [db, await anotherConnection(t, dataDir)].map((each) => createCommitter(each, { announce() {} }))
  const names = Array.from({ length: 40 }, (_, n) => `name-${n}`)
  const outcomes = await Promise.all(
    committers.flatMap((committer, n) =>
      (n === 0 ? names : names.toReversed()).map((name) =>
        outcomeOf(committer.commit(itemChange(at, { indexValues: [alias(name)] }))),
      ),
    ),
  )
  t.is(outcomes.filter((outcome) => outcome === 'committed').length, 40)
  t.is(outcomes.filter((outcome) => outcome === 'ITEM_ALIAS_TAKEN').length, 40)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 40)
})

test('a group that the unavailable database rejects fails as a whole, and is not retried in parts', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const { db: counting, begun } = countTransactions(db)
  const committer = createCommitter(counting, { announce() {} })
  const other = await openTransaction(await anotherConnection(t, dataDir), (tx) =>
    tx.run('update lists set item_count = item_count where id = ?', [at.listId]),
  )
  const results = await Promise.allSettled(Array.from({ length: 20 }, () => committer.commit(itemChange(at))))
  await other.end()
  const rejected = results.filter((result) => result.status === 'rejected')
  t.is(rejected.filter(({ reason }) => reason.name === 'SERVICE_UNAVAILABLE').length, 20)
  t.is(begun(), 1)
  await committer.commit(itemChange(at))
})

/** A list in which an item was created and deleted. */
async function deletedItem(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const { itemId } = await logStory(db, at, { steps: ['created', 'deleted'], at: 1 })
  const committer = createCommitter(db, { announce() {} })
  const restored = (revision: number): ItemChange => {
    const change = itemChange(at, { itemId, after: testItem(at, itemId, revision) })
    return { ...change, event: { ...change.event, type: 'item-restored' } }
  }
  const revisions = async () =>
    (await db.all('select revision from events where model_id = ? order by revision', [itemId])).map(
      ({ revision }) => revision,
    )
  return { db, at, itemId, committer, restored, revisions }
}

test('a deleted item is created again with the revision after its last one, and counted', async (t) => {
  const { db, committer, restored, revisions } = await deletedItem(t)
  await committer.commit(restored(3))
  t.deepEqual(await revisions(), [1, 2, 3])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
})

test('a process that creates it again after another process must compute again', async (t) => {
  const { at, committer, restored, revisions } = await deletedItem(t)
  const created = itemChange(at, { itemId: testId() })
  const outcomes = await Promise.all([
    outcomeOf(committer.commitAll([restored(3)])),
    outcomeOf(committer.commitAll([created, restored(3)])),
  ])
  t.deepEqual(outcomes, ['committed', 'conflict on item'])
  t.deepEqual(await revisions(), [1, 2, 3])
})

test('a process that missed that it was restored and deleted again must compute again', async (t) => {
  const { db, at, itemId, committer, restored, revisions } = await deletedItem(t)
  await logStory(db, at, { itemId, from: 2, live: false, steps: ['restored', 'deleted'], at: 10 })
  t.is(await outcomeOf(committer.commit(restored(3))), 'conflict on item')
  t.deepEqual(await revisions(), [1, 2, 3, 4])
  t.is((await db.all('select id from items')).length, 0)
})

test('an item that is created again can be changed in the same unit', async (t) => {
  const { db, at, itemId, committer, restored, revisions } = await deletedItem(t)
  const updated = itemChange(at, { itemId, expectedRevision: 3, after: testItem(at, itemId, 4) })
  t.is(await outcomeOf(committer.commitAll([restored(3), updated])), 'committed')
  t.deepEqual(await revisions(), [1, 2, 3, 4])
  t.like(await db.get('select revision from items'), { revision: 4 })
})
