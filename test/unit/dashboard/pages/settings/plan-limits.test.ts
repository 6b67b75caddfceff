import test from 'ava'
import type { Plan, Usage } from '#client/src/types/resources.ts'
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
  maxFlows: null,
  maxRealtimeConnections: null,
  generativeAPI: null,
}

const usage: Usage = {
  periodStart: null,
  periodEnd: null,
  requestCount: null,
  blockedCount: null,
  requestAllowance: null,
  requestsRemaining: null,
  overdraftAllowance: null,
  credits: null,
  storageBytes: 5_000,
  storageAllowance: null,
  degraded: null,
}

test('the limits of a plan are shown with their numbers, and then what it does not limit', (t) => {
  const { limits, unlimited } = limitsOf(plan, usage)
  t.deepEqual(limits, [
    { about: 'webhooks', unit: 'number', used: null, max: 50 },
    { about: 'data of an item', unit: 'bytes', used: null, max: 1_048_576 },
    { about: 'versions of an item', unit: 'number', used: null, max: 100 },
    { about: 'data of all items', unit: 'bytes', used: 5_000, max: null },
  ])
  t.true(unlimited.includes('lists'))
  t.true(unlimited.includes('requests a minute'))
})

test('settings without effect are not shown', (t) => {
  t.deepEqual(limitsOf({ ...plan, generativeAPI: true }, usage), limitsOf(plan, usage))
})

test('the usage is shown next to its limit', (t) => {
  const { limits } = limitsOf(
    { ...plan, maxStorageBytes: 10_000, maxRequestsPerMonth: 100 },
    { ...usage, requestCount: 7 },
  )
  t.deepEqual(
    limits.filter(({ used }) => used !== null),
    [
      { about: 'data of all items', unit: 'bytes', used: 5_000, max: 10_000 },
      { about: 'requests a month', unit: 'number', used: 7, max: 100 },
    ],
  )
})
