import test from 'ava'
import { ListdError } from '#client/src/error.ts'
import type { Event } from '#client/src/types/resources.ts'
import type { Webhook } from '#client/src/types/user-resources.ts'
import {
  failedLast,
  healthNeeds,
  healthOf,
  sortNeeds,
  webhookNeeds,
  whyFailed,
} from '#services/dashboard/pages/home/needs.ts'

const healthy: Webhook = {
  id: 'w',
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  url: 'https://kitchen.example/hooks',
  events: ['item.created'],
  description: '',
  listIds: [],
  where: {},
  headerNames: [],
  maxRequestsPerSecond: null,
  activated: true,
  failureCount: 0,
  disabledAt: null,
  disabledReason: null,
  waitingCount: 12,
  heldCount: 0,
  heldIsAtLeast: false,
  oldestHeldAt: null,
  missedCount: 0,
  lastDeliveryAt: null,
}

const needOf = (changes: Partial<Webhook>) => webhookNeeds([{ ...healthy, ...changes }])[0]

test('a webhook that works, or that a user switched off, needs no attention', (t) => {
  t.deepEqual(webhookNeeds([healthy, { ...healthy, activated: false, disabledReason: 'deactivated' }]), [])
})

test('a disabled webhook is reported with its reason and its waiting deliveries', (t) => {
  const disabledReason = '20 deliveries in a row failed for good'
  t.like(needOf({ activated: false, disabledReason }), {
    tone: 'bad',
    title: 'The webhook kitchen.example is disabled',
    text: '20 deliveries in a row failed for good. 12 deliveries wait.',
  })
})

test('a webhook is reported by its description, if it has one', (t) => {
  t.is(needOf({ missedCount: 1, description: 'display' })?.title, 'The webhook display is short of events')
})

test('a webhook that fails or falls behind is reported before an event is lost', (t) => {
  t.like(needOf({ failureCount: 7 }), { tone: 'warn', title: 'The webhook kitchen.example is failing' })
  t.like(needOf({ waitingCount: 812 }), { tone: 'warn', title: 'The webhook kitchen.example is behind' })
  t.is(needOf({ waitingCount: 499 }), undefined)
})

test('problems of the service are reported by name', (t) => {
  t.deepEqual(healthNeeds({ status: 'ok', checks: { database: 'ok', nats: 'ok' } }), [])
  const checks = { database: { failed: 'not reachable' }, nats: 'degraded', clock: { degraded: 'two minutes off' } }
  t.deepEqual(
    healthNeeds({ status: 'failed', checks }).map(({ tone, title }) => [tone, title]),
    [
      ['bad', 'The database has failed'],
      ['warn', 'NATS is degraded'],
      ['warn', 'The clock is degraded'],
    ],
  )
})

test('a service that is not ready names its checks in the error', (t) => {
  const details = { checks: { nats: 'ok' } }
  const unavailable = new ListdError({ name: 'SERVICE_UNAVAILABLE', message: '', status: 503, details })
  t.deepEqual(healthOf(unavailable).checks, { nats: 'ok' })
  const gone = new ListdError({ name: 'CONNECTION_FAILED', message: '' })
  t.is(
    t.throws(() => healthOf(gone)),
    gone,
  )
})

test('an index whose last build failed is reported, not one that was built or deleted since', (t) => {
  const event = (modelId: string, type: string) => ({ modelId, type }) as Event
  const events = [
    event('a', 'index-built'),
    event('b', 'index-build-failed'),
    event('a', 'index-build-failed'),
    event('c', 'index-deleted'),
    event('b', 'index-build-failed'),
    event('c', 'index-build-failed'),
  ]
  t.deepEqual(failedLast(events), [event('b', 'index-build-failed')])
})

test('a failed build is reported with the first value in its way', (t) => {
  t.is(whyFailed({ duplicates: [{ value: 'soup', itemIds: [] }] }), 'Several items have the value “soup”.')
  t.is(whyFailed({ items: [{ itemId: 'x', message: 'is too long' }] }), 'The value of item x is too long.')
  t.is(whyFailed({ message: 'Two.' }), 'Two.')
})

test('the most urgent problem comes first', (t) => {
  const need = (tone: 'warn' | 'bad') => ({ tone, title: tone, text: '' })
  t.deepEqual(sortNeeds([need('warn'), need('bad')]), [need('bad'), need('warn')])
})
