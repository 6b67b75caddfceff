import test from 'ava'
import type { Webhook } from '#client/src/types/user-resources.ts'
import { webhookHealth } from '#services/dashboard/pages/webhooks/webhook-health.ts'

const sent: Webhook = {
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
  waitingCount: 0,
  heldCount: 0,
  heldIsAtLeast: false,
  oldestHeldAt: null,
  missedCount: 0,
  lastDeliveryAt: '2026-01-02T00:00:00.000Z',
}

test('a webhook is healthy only if the last delivery was received', (t) => {
  t.like(webhookHealth(sent), { tone: 'good', word: 'healthy', text: '' })
  t.like(webhookHealth({ ...sent, lastDeliveryAt: null }), { word: 'ready', text: 'Nothing has been sent yet.' })
  for (const failureCount of [1, 3, 19])
    t.like(webhookHealth({ ...sent, failureCount }), { tone: 'warn', word: 'failing' })
})

test('missed events are reported in the past tense, and do not hide the current state', (t) => {
  const missed =
    'It permanently missed 3 events: too many were held, or for too long. The count stays until you clear it.'
  t.deepEqual(webhookHealth({ ...sent, missedCount: 3 }), { tone: 'warn', word: 'short of events', text: missed })
  t.like(webhookHealth({ ...sent, missedCount: 3, failureCount: 2 }), {
    word: 'failing',
    text: `2 deliveries in a row failed for good. The webhook is disabled after too many. ${missed}`,
  })
  t.like(webhookHealth({ ...sent, missedCount: 3, heldCount: 2, waitingCount: 9 }), {
    word: 'behind',
    text: `2 events wait behind 9 deliveries. ${missed}`,
  })
})
