import test, { type ExecutionContext } from 'ava'
import { createEventSweep } from '#services/webhook-dispatcher/jobs/event-retention.ts'
import { createPacer } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { logEvent, wrongEventCounts } from '../../support/databases/contents/events.ts'
import { makeList } from '../../support/databases/contents/rows.ts'
import { anotherConnection, testDatabase } from '../../support/databases/database.ts'

const types = ['token-created', 'webhook-created', 'webhook-updated'] as const
const perType = 30

/** Old events of three types in two accounts, and a younger one. */
async function world(t: ExecutionContext) {
  const { db, dataDir } = await testDatabase(t)
  for (const { accountId } of [await makeList(db), await makeList(db)]) {
    for (const type of types) {
      for (let n = 1; n <= perType; n++) await logEvent(db, { accountId, type, createdAt: n })
    }
    await logEvent(db, { accountId, type: 'webhook-updated', createdAt: 1_000 })
  }
  return { db, dataDir, old: 2 * types.length * perType }
}

function sweepOf(db: Database, onDeleted: (rows: number) => void = () => {}) {
  const pacer = createPacer(db, { first: 8, least: 8, most: 8 })
  return createEventSweep({ db, pacer, until: async () => 500, versionsOf: async () => 100, onDeleted })
}

async function count(db: Database): Promise<number> {
  return (await db.all('select id from events')).length
}

test('a sweep deletes expired events of every account and type, and reports them batch by batch', async (t) => {
  const { db, old } = await world(t)
  const batches: number[] = []
  t.deepEqual(await sweepOf(db, (rows) => batches.push(rows))(() => true), { deleted: old })
  t.is(await count(db), 2)
  t.is(Math.max(...batches), 8)
  t.deepEqual(await wrongEventCounts(db), [])
})

test('a stopped sweep continues where it stopped, in its own process or another one', async (t) => {
  const { db, dataDir, old } = await world(t)
  const sweep = sweepOf(db)
  const forSome = () => {
    let asked = 0
    return () => ++asked <= 6
  }
  t.is(await sweep(forSome()), null)
  t.is(await sweep(forSome()), null)
  const left = await count(db)
  t.true(left > 2 && left < old, `${left}`)
  const other = sweepOf(await anotherConnection(t, dataDir))
  t.deepEqual(await other(() => true), { deleted: left - 2 })
  t.deepEqual(await sweep(() => true), { deleted: old + 2 - left })
  t.is(await count(db), 2)
  t.deepEqual(await wrongEventCounts(db), [])
})
