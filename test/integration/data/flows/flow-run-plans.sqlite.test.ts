import test from 'ava'
import { readFlowRunPage } from '#shared/data/flows/flow-run-page.ts'
import { deleteOldRuns, deleteRunsOf, findRunBeyond, listNewestRuns } from '#shared/data/flows/run-retention.ts'
import { testId } from '../../../support/databases/contents/rows.ts'
import { testDatabase } from '../../../support/databases/database.ts'
import { slowSteps, watchPlans } from '../../../support/databases/plans.ts'

test('no page of runs sorts or reads all of them, whatever its filters', async (t) => {
  const { db, plans } = watchPlans((await testDatabase(t)).db)
  const [flowId, status, times] = [testId(), 'failed' as const, { startAt: 1, endAt: 2 }]
  const sets = [{}, { flowId }, { status }, { flowId, status }].flatMap((of) => [of, { ...of, ...times }])
  for (const set of sets.flatMap((of) => [of, { ...of, trigger: 'hand' as const }])) {
    for (const which of [{ page: 2 }, { after: '' }]) {
      const request = { limit: 20, order: 'startedAt', direction: 'desc', filters: '', ...which } as const
      await readFlowRunPage(db, { accountId: testId(), ...set }, request)
    }
  }
  t.true(plans.length >= 48)
  for (const plan of plans) {
    t.deepEqual(slowSteps(plan), [], plan.text)
    t.true(
      plan.steps.some((step) => step.includes('USING COVERING INDEX') || /trigger_type/.test(plan.text)),
      plan.text,
    )
  }
})

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
