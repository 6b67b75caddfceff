import test from 'ava'
import { type FlowRunFilters, readFlowRunPage } from '#shared/data/flows/flow-run-page.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../support/databases/contents/flows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
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
