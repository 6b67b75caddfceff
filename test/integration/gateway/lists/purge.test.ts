import { setTimeout as delay } from 'node:timers/promises'
import test from 'ava'
import { createListPurge, startListPurge } from '#services/gateway/jobs/list-purge.ts'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { takeLease } from '#shared/data/leases/leases.ts'
import { removeList } from '#shared/data/lists/list-changes.ts'
import { findList } from '#shared/data/lists/lists.ts'
import { createLogger } from '#shared/log/logger.ts'
import { atLeast, atMost } from '../../../support/assertions/bounds.ts'
import { until } from '../../../support/assertions/until.ts'
import { addManyItems } from '../../../support/databases/contents/many-items.ts'
import { itemChange, makeList } from '../../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { quantile } from '../../../support/load/statistics.ts'

const log = createLogger({ service: 'test', level: 'silent' })

/** A deleted list that had this number of items. */
async function deletedList(db: Database, count: number): Promise<void> {
  const at = await makeList(db)
  await addManyItems(db, { ...at, count, dataLength: 500, tag: 'red' })
  const list = await findList(db, at.accountId, at.listId)
  if (list) await db.transaction(async (tx) => removeList(tx, list, await tx.now()))
}

async function itemsLeft(db: Database): Promise<number> {
  return (await db.get<{ n: number }>('select count(*) as n from items'))?.n ?? -1
}

test('the gateway that holds the lease purges; when it dies another one continues', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  await deletedList(db, 300)
  await takeLease(db, { name: 'list-purge', owner: 'dead', ms: 100 })
  const stops = [startListPurge({ db, log, owner: 'a' }), startListPurge({ db: other, log, owner: 'b' })]
  t.teardown(() => Promise.all(stops.map((stop) => stop())))
  await until(async () => {
    const purges = await db.all('select * from list_purges')
    return purges.length === 0 || purges
  })
  t.is(await itemsLeft(db), 0)
})

test('a purge that needs more than one lease continues with the next one, without waiting for the next check of a gateway', async (t) => {
  const { db } = await testDatabase(t)
  await deletedList(db, 1_000)
  let batches = 0
  const othersWrote = async () => {
    await delay(++batches < 4 ? 40 : 0)
    return true
  }
  const slow = { ...db, othersWrote }
  t.teardown(startListPurge({ db: slow, log, owner: 'a', everyMs: 3_600_000, leaseMs: 100 }))
  await until(async () => (await itemsLeft(db)) || true, { what: 'all items to be purged' })
  t.true(batches > 3)
})

test('a stopped purge leaves the rest for the next one', async (t) => {
  const { db } = await testDatabase(t)
  await deletedList(db, 300)
  let rounds = 0
  await createListPurge({ db, log })(() => ++rounds < 4)
  const left = await itemsLeft(db)
  atLeast(t, left, 1, 'items left')
  atMost(t, left, 299, 'items left')
  await createListPurge({ db, log })(() => true)
  t.is(await itemsLeft(db), 0)
})

test('items are written between the batches of a purge, and hardly any of them waits for several', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  await deletedList(db, 20_000)
  const other = await anotherConnection(t, dataDir)
  const at = await makeList(other)
  const committer = createCommitter(other, { announce() {} })
  t.teardown(committer.close)

  let [batches, purging] = [0, true]
  const purged = createListPurge({ db, log })(() => ++batches > 0).finally(() => (purging = false))
  const waits: number[] = []
  while (purging) {
    const before = batches
    await committer.commit(itemChange(at))
    waits.push(batches - before)
  }
  await purged
  t.is(await itemsLeft(db), waits.length)
  atLeast(t, batches, 20, 'batches')
  t.true(quantile(waits, 0.9) <= 2, `${waits}`)
})
