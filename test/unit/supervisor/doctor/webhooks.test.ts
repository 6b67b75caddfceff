import test from 'ava'
import { checkWebhooks } from '#services/supervisor/doctor/webhooks.ts'

const totals = { waiting: 790, mostWaiting: 790, overdueMs: 0, failing: 1, missing: 0, missed: 0, disabled: 0 }
const limits = { maxWaiting: 1_000 }

test('webhooks are well while none is disabled, near its bound or without events that it should have got', (t) => {
  t.deepEqual(checkWebhooks(totals, limits), [{ state: 'ok', message: '790 deliveries wait' }])
})

test('the doctor tells of disabled webhooks, of one near its bound, and of missed events, each with what to do', (t) => {
  const found = checkWebhooks({ ...totals, mostWaiting: 800, missing: 2, missed: 1_902, disabled: 1 }, limits)
  t.deepEqual(
    found.map(({ state, message }) => `${state}: ${message}`),
    [
      'note: 1 webhook is disabled because deliveries failed, and gets no events',
      'note: 800 deliveries wait for one webhook; from 1000 on it misses events',
      'note: 2 webhooks are active and missed 1902 events, because too many deliveries waited',
    ],
  )
  t.true(found.every(({ fix }) => fix))
})
