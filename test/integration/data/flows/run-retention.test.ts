import test, { type ExecutionContext } from 'ava'
import { createRunSweep } from '#services/webhook-dispatcher/jobs/run-retention.ts'
import type { Database } from '#shared/data/database.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testIdAt } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const day = 86_400_000
const batchRows = { first: 3, least: 2, most: 4 }
const always = () => true

async function setUp(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const make = (name: string) => makeFlow(db, flowDefinition({ accountId: 'a' }, flowDocument({ name, path: name })))
  const [one, two] = [await make('one'), await make('two')]
  const now = await db.now()
  const add = async (
    flow: { accountId: string; id: string },
    ages: readonly number[],
    trigger: 'endpoint' | 'public' = 'endpoint',
  ) => {
    const runs = ages.map((age) => flowRun(flow, { id: testIdAt(now - age), trigger }))
    await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
    return runs.map(({ id }) => id)
  }
  return { db, one, two, add }
}

const idsIn = async (db: Database) => (await db.all('select id from flow_runs order by id')).map(({ id }) => String(id))
const sweepOf = (
  db: Database,
  more: { kept?: { known: number; public: number }; onDeleted?: (rows: number) => void } = {},
) => createRunSweep({ db, batchRows, days: 30, onDeleted: () => {}, ...more })

test('old runs are deleted in batches, and those of deleted flows too, and a sweep continues where it was stopped', async (t) => {
  const { db, one, two, add } = await setUp(t)
  await add(
    one,
    Array.from({ length: 7 }, (_, n) => 31 * day + n),
  )
  await add({ accountId: 'a', id: 'gone' }, [40 * day])
  const kept = [...(await add(two, [29 * day])), ...(await add(one, [0]))]
  const deleted: number[] = []
  const sweep = sweepOf(db, { onDeleted: (rows) => deleted.push(rows) })
  let batches = 0
  t.is(await sweep(() => batches++ < 1), null)
  t.is((await idsIn(db)).length, 7)
  t.deepEqual(await sweep(always), { deleted: 8 })
  t.deepEqual(await idsIn(db), kept.toSorted())
  t.true(Math.max(...deleted) <= batchRows.most)
  t.deepEqual(await sweep(always), { deleted: 0 })
})

test('a flow keeps its newest runs, however recent the others are', async (t) => {
  const { db, one, two, add } = await setUp(t)
  const runs = await add(
    one,
    Array.from({ length: 12 }, (_, n) => n * 1_000),
  )
  const others = await add(two, [5_000, 0, 1_000])
  const sweep = sweepOf(db, { kept: { known: 3, public: 3 } })
  let batches = 0
  t.is(await sweep(() => batches++ < 3), null)
  t.deepEqual(await sweep(always), { deleted: 9 })
  t.deepEqual(await idsIn(db), [...runs.slice(0, 3), ...others].toSorted())
  const [newest = ''] = await add(two, [-1_000])
  t.deepEqual(await sweep(always), { deleted: 1 })
  t.deepEqual(await idsIn(db), [...runs.slice(0, 3), newest, ...others.filter((id) => id !== others[0])].toSorted())
})

test('runs by unknown callers have a separate share, and do not displace others', async (t) => {
  const { db, add } = await setUp(t)
  const open = await makeFlow(db, flowDefinition({ accountId: 'a' }, flowDocument({ name: 'open', isPublic: true })))
  const ages = (from: number) => Array.from({ length: 6 }, (_, n) => from + n * 1_000)
  const [known, anybody] = [await add(open, ages(60_000)), await add(open, ages(0), 'public')]
  t.deepEqual(await sweepOf(db, { kept: { known: 4, public: 2 } })(always), { deleted: 6 })
  t.deepEqual(await idsIn(db), [...known.slice(0, 4), ...anybody.slice(0, 2)].toSorted())
})
