import test from 'ava'
import { type CommittedGroup, createCommitter } from '#shared/data/commit.ts'
import type { IndexValue } from '#shared/domain/item/index-value.ts'
import { anotherConnection, testDatabase } from '../../support/database.ts'
import { itemChange, makeList, makeWebhook, testId, testItem } from '../../support/rows.ts'

const alias = (text: string): IndexValue => ({
  ...{ indexId: 'index-1', numberValue: null, orderKey: text, filterKey: text, aliasText: text },
})

test('changes that arrive together commit together, with the counter of their list', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { onCommitted() {} })
  const outcomes = await Promise.all(Array.from({ length: 200 }, () => committer.commit(itemChange(at))))
  t.true(outcomes.every((outcome) => outcome === 'committed'))
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, 200)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 200)
  t.is((await db.get<{ n: number }>('select count(*) as n from events'))?.n, 200)
})

test('a failing member leaves the others', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { onCommitted() {} })
  const outcomes = await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      if (n === 7) return committer.commit(itemChange(at, { list: { id: at.listId, configVersion: 99 } }))
      if (n === 20) return committer.commit(itemChange(at, { expectedRevision: 5 }))
      return committer.commit(itemChange(at))
    }),
  )
  t.is(outcomes[7], 'list-changed')
  t.is(outcomes[20], 'item-changed')
  t.is(outcomes.filter((outcome) => outcome === 'committed').length, 28)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 28)
})

test('of equal alias values inside one group the first is committed', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { onCommitted() {} })
  const outcomes = await Promise.all(
    ['a', 'b', 'a', 'c'].map((value) => committer.commit(itemChange(at, { indexValues: [alias(value)] }))),
  )
  t.deepEqual(outcomes, ['committed', 'committed', 'alias-taken', 'committed'])
})

test('of two updates of one item from the same revision one wins, also in another process', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const other = createCommitter(await anotherConnection(t, dataDir), { onCommitted() {} })
  const committer = createCommitter(db, { onCommitted() {} })
  const itemId = testId()
  await committer.commit(itemChange(at, { itemId, indexValues: [alias('a')] }))
  const update = () =>
    itemChange(at, { itemId, expectedRevision: 1, after: testItem(at, itemId, 2), indexValues: [alias('b')] })
  const outcomes = await Promise.all([committer.commit(update()), other.commit(update()), committer.commit(update())])
  t.deepEqual(outcomes.toSorted(), ['committed', 'item-changed', 'item-changed'])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1)
  t.is((await db.get<{ n: number }>('select count(*) as n from index_values'))?.n, 1)
})

test('a deleted item takes its index values and its place in the counter along', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { onCommitted() {} })
  const itemId = testId()
  await committer.commit(itemChange(at, { itemId, indexValues: [alias('a')] }))
  t.is(await committer.commit(itemChange(at, { itemId, expectedRevision: 1, after: null })), 'committed')
  t.deepEqual(await db.all('select * from items'), [])
  t.deepEqual(await db.all('select * from index_values'), [])
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 0)
})

test('payload and outbox rows are written only for accounts with an active webhook, and announced after the commit', async (t) => {
  const { db } = await testDatabase(t)
  const silent = await makeList(db)
  const heard = await makeList(db)
  await makeWebhook(db, heard)
  const groups: CommittedGroup[] = []
  const committer = createCommitter(db, { onCommitted: (group) => groups.push(group) })
  const changes = [itemChange(silent), itemChange(heard), itemChange(silent)]
  await Promise.all(changes.map((change) => committer.commit(change)))
  const eventId = changes[1]?.event.id
  t.deepEqual(
    groups.flatMap(({ eventIds }) => eventIds),
    [eventId],
  )
  t.deepEqual(await db.all('select event_id, webhook_epoch from outbox'), [{ event_id: eventId, webhook_epoch: 1 }])
  t.deepEqual(await db.all('select event_id, body from event_payloads'), [
    { event_id: eventId, body: changes[1]?.payload },
  ])
})

test('past its bound the queue answers that the service is unavailable, and what was taken is committed', async (t) => {
  const { db } = await testDatabase(t)
  const at = await makeList(db)
  const committer = createCommitter(db, { onCommitted() {} })
  const results = await Promise.allSettled(Array.from({ length: 2100 }, () => committer.commit(itemChange(at))))
  const refused = results.filter((result) => result.status === 'rejected')
  t.is(refused.length, 100)
  t.true(refused.every(({ reason }) => reason.name === 'SERVICE_UNAVAILABLE' && reason.retryAfterSeconds === 1))
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 2000)
})

test('two processes that commit as fast as they can lose nothing', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  const committers = [db, await anotherConnection(t, dataDir)].map((each) =>
    createCommitter(each, { onCommitted() {} }),
  )
  await Promise.all(
    committers.flatMap((committer) => Array.from({ length: 500 }, () => committer.commit(itemChange(at)))),
  )
  t.is((await db.get<{ n: number }>('select count(*) as n from items'))?.n, 1000)
  t.is((await db.get<{ n: number }>('select item_count as n from lists'))?.n, 1000)
})
