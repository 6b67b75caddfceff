import test from 'ava'
import type { Plan } from '#client/src/resources.ts'
import { limitsOf } from '#services/dashboard/pages/settings/plan-limits.ts'

const plan: Plan = {
  id: 'scale',
  name: 'Scale',
  rateLimit: null,
  maxRequestsPerMinute: null,
  maxRequestsPerMonth: null,
  overdraftPercent: null,
  maxStorageBytes: null,
  maxLists: null,
  maxItemsPerList: null,
  maxIndexesPerList: null,
  maxItemSize: 1_048_576,
  maxItemVersions: 100,
  maxTokens: null,
  maxIdentities: null,
  maxWebhooks: 50,
  maxRealtimeConnections: null,
  generativeAPI: null,
}

test('the limits of a plan are told with their numbers, and then what it does not limit', (t) => {
  const { limits, unlimited } = limitsOf(plan)
  t.deepEqual(limits, [
    { about: 'webhooks', unit: 'number', max: 50 },
    { about: 'data of an item', unit: 'bytes', max: 1_048_576 },
    { about: 'versions of an item', unit: 'number', max: 100 },
  ])
  t.true(unlimited.includes('lists'))
  t.true(unlimited.includes('requests a minute'))
})

test('nothing is told of what has no effect yet', (t) => {
  t.deepEqual(limitsOf({ ...plan, maxRealtimeConnections: 5, generativeAPI: true }), limitsOf(plan))
})
