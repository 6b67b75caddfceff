import test from 'ava'
import { checkWebhooks } from '#services/supervisor/doctor/webhooks.ts'

const none = { behind: 0, held: 0, mostHeld: 0, heldMs: 0, missing: 0, missed: 0, disabled: 0 }
const totals = { ...none, waiting: 790, mostWaiting: 790, overdueMs: 0, failing: 1 }
const limits = { maxWaiting: 1_000, maxHeld: 5_000 }

test('webhooks are healthy if none is disabled, near its bound or missing events', (t) => {
  t.deepEqual(checkWebhooks(totals, limits), [{ state: 'ok', message: '790 deliveries wait' }])
})

test('the doctor reports disabled webhooks, one near its bound, and missed events, each with what to do', (t) => {
  const found = checkWebhooks({ ...totals, mostWaiting: 800, missing: 2, missed: 1_902, disabled: 1 }, limits)
  t.deepEqual(
    found.map(({ state, message }) => `${state}: ${message}`),
    [
      'note: 1 webhook is disabled because deliveries failed, and gets no events',
      'note: 800 deliveries wait for one webhook; from 1000 on events are held for it',
      'note: 2 webhooks are active and missed 1902 events, because too many were held',
    ],
  )
  t.true(found.every(({ fix }) => fix))
})

test('the doctor reports held events, and a webhook that is near the bound on them', (t) => {
  const messages = (change: object, bounds = limits) =>
    checkWebhooks({ ...totals, ...change }, bounds).map(({ message }) => message)
  const behind = '1 webhook is behind: 3000 events are held until deliveries are sent'
  t.deepEqual(messages({ behind: 1, held: 3_000, mostHeld: 3_000 }), [behind])
  t.deepEqual(messages({ behind: 1, held: 3_000, mostHeld: 3_000 }, { ...limits, maxHeld: 3_500 }), [
    behind,
    '3000 events are held for one webhook; from 3500 on it misses events',
  ])
  t.deepEqual(messages({ mostWaiting: 900 }, { ...limits, maxHeld: 0 }), [
    '900 deliveries wait for one webhook; from 1000 on it misses events',
  ])
})
