import test from 'ava'
import { createAccountLimits, limitsOfPlan, planLimits } from '#shared/domain/plan/plan.ts'

test('what a plan does not name, or names as null, is without limit', (t) => {
  const limits = limitsOfPlan({ name: 'Indie', maxLists: 3, maxTokens: null })
  t.deepEqual(Object.keys(limits), Object.keys(planLimits))
  t.like(limits, { maxLists: 3, maxTokens: null, maxItemsPerList: null })
})

test('a plan that is not configured any more limits nothing', (t) => {
  t.true(Object.values(limitsOfPlan(undefined)).every((limit) => limit === null))
})

test('an account whose plan limits only webhooks has no limits to look at', (t) => {
  const limitsOf = createAccountLimits({
    scale: { name: 'Scale', maxWebhooks: 50 },
    free: { name: 'Free', maxWebhooks: 1, maxItemsPerList: 0 },
  })
  t.is(limitsOf('scale'), null)
  t.is(limitsOf('gone'), null)
  t.like(limitsOf('free'), { maxItemsPerList: 0, maxLists: null })
})
