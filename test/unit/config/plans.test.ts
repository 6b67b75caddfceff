import test from 'ava'
import { plansRule } from '#shared/config/plans.ts'

const accepts = (scale: unknown) => plansRule.accepts({ scale })

test('a plan has a name and any of the limits, as whole numbers or null', (t) => {
  t.true(accepts({ name: 'Scale' }))
  t.true(accepts({ name: 'Scale', maxWebhooks: null, maxLists: 0, maxItemsPerList: 1_000_000, maxItemVersions: 1 }))
  t.true(
    accepts({ name: 'Scale', rateLimit: 20, maxRequestsPerMinute: 1, maxRequestsPerMonth: 0, overdraftPercent: 10 }),
  )
  t.true(accepts({ name: 'Scale', perIdentity: { maxRequestsPerMinute: 5 } }))
  t.true(accepts({ name: 'Scale', perIdentity: null }))
  t.true(accepts({ name: 'Scale', maxIndexesPerList: 50, maxItemSize: 1, maxTokens: 3, maxIdentities: null }))
})

test('what is no limit, or can be none, is not accepted', (t) => {
  const wrong: object[] = [
    { maxList: 3 },
    { toString: 3 },
    { maxLists: -1 },
    { maxLists: 1.5 },
    { maxLists: '3' },
    { maxLists: 2 ** 53 },
    { maxIndexesPerList: 51 },
    { maxItemVersions: 0 },
    { maxItemVersions: 101 },
    { maxItemSize: 0 },
    { maxRequestsPerMinute: 0 },
    { rateLimit: 0 },
    { rateLimit: 60_001 },
    { overdraftPercent: 1_001 },
    { perIdentity: 5 },
    { perIdentity: {} },
    { perIdentity: { maxRequestsPerMinute: 0 } },
    { perIdentity: { maxRequestsPerMinute: 5, maxRequestsPerMonth: 5 } },
    { name: '' },
    { name: 3 },
  ]
  for (const limits of wrong) t.false(accepts({ name: 'Scale', ...limits }), JSON.stringify(limits))
  t.false(plansRule.accepts({ free: { name: 'Free' } }), 'without the plan of new accounts')
  t.false(plansRule.accepts({ scale: { name: 'Scale' }, 'Not an id': { name: 'x' } }))
})
