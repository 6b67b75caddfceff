import test from 'ava'
import { readFlowRunPage } from '#shared/data/flows/flow-run-page.ts'
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
