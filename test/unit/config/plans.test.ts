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

test('keys that are not limits, and values that a limit cannot have, are rejected', (t) => {
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

test('the first error is reported with its place, its rule and the most similar limit', (t) => {
  const wrongPart = (plans: object) => plansRule.wrongPart?.(plans)
  const scale = (plan: object) => wrongPart({ free: { name: 'Free', maxLists: 3 }, scale: { name: 'S', ...plan } })
  t.deepEqual(scale({ maxFlow: 3, maxLists: -1 }), {
    path: 'scale.maxFlow',
    value: 3,
    rule: 'is not a known limit',
    nearest: 'scale.maxFlows',
  })
  const cases: [part: object, path: string, rule: RegExp][] = [
    [{ maxLists: -1 }, 'scale.maxLists', /^must be a whole number from 0, or null/],
    [{ rateLimit: 0 }, 'scale.rateLimit', /^must be a whole number from 1 to 60000, or null/],
    [{ name: '' }, 'scale.name', /^must be a non-empty string/],
    [{ perIdentity: 5 }, 'scale.perIdentity', /^must be an object with maxRequestsPerMinute, or null/],
    [{ perIdentity: {} }, 'scale.perIdentity.maxRequestsPerMinute', /^must be a whole number from 1$/],
    [{ perIdentity: { maxRequestsPerMinute: 5, rate: 5 } }, 'scale.perIdentity.rate', /^is not a known limit/],
  ]
  for (const [part, path, rule] of cases) {
    const found = scale(part)
    t.is(found?.path, path)
    t.regex(found?.rule ?? '', rule)
  }
  t.like(wrongPart({ 'Not an id': { name: 'x' } }), { path: 'Not an id' })
  t.is(scale({}), null)
})
