import test from 'ava'
import { createFlowPurge } from '#services/gateway/jobs/flow-purge.ts'
import { flowRunRows } from '#shared/data/flows/flow-runs.ts'
import { removeFlow } from '#shared/data/flows/flows.ts'
import { insertRows } from '#shared/data/sql/insert-rows.ts'
import { flowDefinition, flowDocument, flowRun, makeFlow } from '../../../../support/databases/contents/flows.ts'
import { testDatabase } from '../../../../support/databases/database.ts'

test('the runs of all deleted flows are purged in batches, those of others stay, and a purge continues where it was stopped', async (t) => {
  const { db } = await testDatabase(t)
  const accountId = 'a'
  const flows = ['one', 'two', 'kept'].map((name) => flowDefinition({ accountId }, flowDocument({ name, path: name })))
  for (const flow of flows) {
    await makeFlow(db, flow)
    const runs = Array.from({ length: 45 }, () => flowRun(flow))
    await db.transaction((tx) => insertRows(tx, flowRunRows(runs)))
  }
  for (const { id: flowId } of flows.slice(0, 2)) await db.transaction((tx) => removeFlow(tx, { accountId, flowId }, 1))
  const left = async () => Number((await db.get('select count(*) as n from flow_runs'))?.n)
  const purge = createFlowPurge(db)
  let batches = 0
  await purge(() => batches++ < 2)
  const stopped = await left()
  t.true(stopped < 135 && stopped > 45, String(stopped))
  await purge(() => true)
  t.is(await left(), 45)
  t.deepEqual(await db.all('select flow_id from flow_purges'), [])
})
