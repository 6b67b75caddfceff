import test, { type ExecutionContext } from 'ava'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { until } from '../../../support/assertions/until.ts'
import { outcomeOf } from '../../../support/databases/commits.ts'
import { itemChange, makeList, makeWebhook } from '../../../support/databases/contents/rows.ts'
import { cuttingProxy } from '../../../support/databases/cutting-proxy.ts'
import { anotherConnection, databaseSettings, testDatabase } from '../../../support/databases/database.ts'

const size = 100

/** A unit of creates, and a committer whose connections a proxy can break. */
async function setUp(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  const at = await makeList(db)
  await makeWebhook(db, at)
  const proxy = await cuttingProxy(t, databaseSettings(dataDir).LISTD_DATABASE_URL ?? '')
  const committer = createCommitter(await anotherConnection(t, dataDir, { url: proxy.url }), { announce() {} })
  const unit = Array.from({ length: size }, () => itemChange(at))
  /** The stored rows of the unit, and its counters. */
  const stored = () =>
    db.get(`select (select count(*) from items) as items, (select count(*) from events) as events,
      (select count(*) from outbox) as outbox, (select count(*) from event_payloads) as payloads,
      (select coalesce(sum(entries), 0) from event_count_shards) as counted, (select item_count from lists) as listed`)
  return { proxy, committer, unit, stored }
}

const rows = (n: number) => ({ items: n, events: n, outbox: n, payloads: n, counted: n, listed: n })

test('a unit whose connection breaks before its commit is written again as a whole, once', async (t) => {
  const { proxy, committer, unit, stored } = await setUp(t)
  proxy.cutAt(/into outbox/, 'after-server')
  await committer.commitAll(unit)
  t.is(proxy.cuts(), 1)
  t.deepEqual(await stored(), rows(size))
})

test('a unit whose connection broke before its commit arrived is unavailable, and nothing of it is stored', async (t) => {
  const { proxy, committer, unit, stored } = await setUp(t)
  proxy.cutAt(/commit(?!ted)/, 'before-server') // not of "read committed"
  t.is(await outcomeOf(committer.commitAll(unit)), 'SERVICE_UNAVAILABLE')
  t.deepEqual(await stored(), rows(0))
})

test('a unit whose connection broke after its commit arrived is unavailable, but stored completely', async (t) => {
  const { proxy, committer, unit, stored } = await setUp(t)
  proxy.cutAt(/commit(?!ted)/, 'after-server')
  t.is(await outcomeOf(committer.commitAll(unit)), 'SERVICE_UNAVAILABLE')
  await until(async () => (await stored())?.items === size)
  t.deepEqual(await stored(), rows(size))
})
