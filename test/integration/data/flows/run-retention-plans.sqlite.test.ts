import test from 'ava'
import { deleteOldRuns, deleteRunsOf, findRunBeyond, listNewestRuns } from '#shared/data/flows/run-retention.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'

test('retention of runs sorts and reads no whole table', async (t) => {
  const { db } = await testDatabase(t)
  const { db: watched, plans } = watchPlans(db)
  const whole = { ...db, ...watched }
  await deleteOldRuns(whole, { from: 0, until: 1, rows: 2 })
  await deleteRunsOf(whole, { flowId: 'f', after: '', upTo: 'g' }, 2)
  await deleteRunsOf(whole, { flowId: 'f', after: '' }, 2)
  await findRunBeyond(whole, 'f', 10_000)
  await listNewestRuns(whole, { after: '', limit: 2 })
  t.is(plans.length, 5)
  for (const plan of plans) t.deepEqual(slowSteps(plan), [], plan.text)
})
