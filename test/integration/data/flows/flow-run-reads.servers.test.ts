import test, { type ExecutionContext } from 'ava'
import { type FlowRunFilters, readFlowRunPage } from '#shared/data/flows/flow-run-page.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { deleteOldRuns, deleteRunsOf, findRunBeyond, listNewestRuns } from '#shared/data/flows/run-retention.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testIdAt } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { assertBatchesReadAlike } from '../../../support/databases/questions/batch-reads.ts'
import { analyze, countRowsRead } from '../../../support/databases/questions/rows-read.ts'

const accountId = 'a'

test('a page by cursor reads only the runs that it shows, however many others there are', async (t) => {
  const { db: real } = await testDatabase(t)
  const make = (name: string) => makeFlow(real, flowDefinition({ accountId }, flowDocument({ name, path: name })))
  const [rare, busy] = [await make('rare'), await make('busy')]
  const of = (n: number) => flowRun(n % 100 ? busy : rare, { status: n % 50 ? 'succeeded' : 'failed' })
  const runs = Array.from({ length: 5_000 }, (_, n) => of(n))
  await real.transaction((tx) => insertRows(tx, flowRunRows(runs)))
  await analyze(real, 'flow_runs')
  const sets: FlowRunFilters[] = [{}, { flowId: rare.id }, { status: 'failed' }, { flowId: busy.id, status: 'failed' }]
  for (const set of sets) {
    for (const direction of ['asc', 'desc'] as const) {
      const { db, rowsRead } = countRowsRead(real)
      const request = { limit: 20, order: 'startedAt', direction, filters: '', after: '' }
      const { data } = await readFlowRunPage(db, { accountId, ...set }, request)
      t.is(data.length, 20)
      t.true(rowsRead() <= 200, `${rowsRead()}: ${JSON.stringify(set)} ${direction}`)
    }
  }
})

const rows = 100

/** Two flows, which ran in turn. */
async function world(t: ExecutionContext) {
  const { db } = await testDatabase(t)
  const make = (name: string) => makeFlow(db, flowDefinition({ accountId: 'a' }, flowDocument({ name, path: name })))
  const flows = [await make('one'), await make('two')] as const
  const runs = Array.from({ length: 5_000 }, (_, n) =>
    flowRun(flows[n % 2 === 0 ? 0 : 1], { id: testIdAt(1_700_000_000_000 + n) }),
  )
  await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
  await analyze(db, 'flow_runs')
  return { db, flowId: flows[0].id }
}

test('each batch of old runs reads as much as the first one', async (t) => {
  const { db } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: 0,
    async batch(counted, from) {
      const batch = await deleteOldRuns(counted, { from, until: 8e12, rows })
      return { next: batch.more ? batch.from : null }
    },
  })
})

test('each batch of the runs of one flow reads as much as the first one', async (t) => {
  const { db, flowId } = await world(t)
  await assertBatchesReadAlike(t, db, {
    from: '',
    async batch(counted, after) {
      const batch = await deleteRunsOf(counted, { flowId, after, upTo: 'g' }, rows)
      return { next: batch.more ? batch.after : null }
    },
  })
})

test('the newest runs of flows cost one row each, and finding the run beyond the kept ones costs their rows and index entries', async (t) => {
  const { db: real, flowId } = await world(t)
  const { db, rowsRead } = countRowsRead(real)
  t.is((await listNewestRuns(db, { after: '', limit: 100 })).length, 2)
  const newest = rowsRead()
  t.true(newest <= 20, String(newest))
  t.not(await findRunBeyond(db, flowId, 1_000), null)
  t.true(rowsRead() - newest <= 2_100, String(rowsRead() - newest))
  t.is(await findRunBeyond(db, flowId, 2_500), null)
})
