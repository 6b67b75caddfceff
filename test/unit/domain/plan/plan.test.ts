import test from 'ava'
import { createAccountLimits, limitsOfPlan, planLimits } from '#shared/domain/plan/plan.ts'

test('a limit that a plan omits, or sets to null, is unlimited', (t) => {
  const limits = limitsOfPlan({ name: 'Indie', maxLists: 3, maxTokens: null })
  t.deepEqual(Object.keys(limits), Object.keys(planLimits))
  t.like(limits, { maxLists: 3, maxTokens: null, maxItemsPerList: null })
})

test('a plan that is no longer configured limits nothing', (t) => {
  t.true(Object.values(limitsOfPlan(undefined)).every((limit) => limit === null))
})

test('an account whose plan limits only webhooks has no other limits to check', (t) => {
  const { limitsOf } = createAccountLimits({
    scale: { name: 'Scale', maxWebhooks: 50 },
    free: { name: 'Free', maxWebhooks: 1, maxItemsPerList: 0 },
  })
  t.is(limitsOf('scale'), null)
  t.is(limitsOf('gone'), null)
  t.like(limitsOf('free'), { maxItemsPerList: 0, maxLists: null })
})

test('request limits are separate from the limits on resources', (t) => {
  const { limitsOf, ratesOf } = createAccountLimits({
    counted: { name: 'Counted', maxLists: 1 },
    minute: { name: 'Minute', maxRequestsPerMinute: 60 },
    identity: { name: 'Identity', perIdentity: { maxRequestsPerMinute: 5 } },
    overdraft: { name: 'Overdraft', overdraftPercent: 10 },
  })
  t.is(ratesOf('counted'), null)
  t.is(limitsOf('minute'), null)
  t.like(ratesOf('minute'), { maxRequestsPerMinute: 60, maxRequestsPerMonth: null, perIdentity: null })
  t.like(ratesOf('identity'), { maxRequestsPerMinute: null, perIdentity: { maxRequestsPerMinute: 5 } })
  t.is(ratesOf('overdraft'), null, 'of nothing')
})
