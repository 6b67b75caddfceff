import test from 'ava'
import {
  type AttemptOutcome,
  afterAttempt,
  retryDelayMs,
  succeeded,
} from '#shared/domain/webhook/deliveries/delivery.ts'

const retrySeconds = [30, 120, 600, 3600, 10_800, 21_600, 43_200]
const endedAt = 1_700_000_000_000

for (const status of [200, 201, 204, 299]) {
  test(`a complete head with ${status} succeeds`, (t) => {
    t.true(succeeded(answered(status)))
    t.deepEqual(after(1, answered(status)), { status: 'succeeded' })
  })
}

for (const status of [100, 101, 199, 300, 301, 302, 304, 307, 400, 401, 410, 429, 500, 503, 999]) {
  test(`a complete head with ${status} fails the attempt`, (t) => {
    t.false(succeeded(answered(status)))
    t.deepEqual(after(1, answered(status)), { status: 'pending', nextAttemptAt: endedAt + 30_000 })
  })
}

test('an attempt without a head fails, whatever its error', (t) => {
  for (const error of ['timeout', 'tls', 'dns', 'blocked-address', 'connection', 'protocol'] as const) {
    t.deepEqual(after(2, broken(error)), { status: 'pending', nextAttemptAt: endedAt + 120_000 }, error)
  }
})

test('retries follow 30 s, 2 min, 10 min, 1 h, 3 h, 6 h and 12 h after the end of the previous attempt', (t) => {
  const waits = [1, 2, 3, 4, 5, 6, 7].map((attempts) => retryDelayMs(attempts, retrySeconds))
  t.deepEqual(waits, [30_000, 120_000, 600_000, 3_600_000, 10_800_000, 21_600_000, 43_200_000])
})

test('the eighth failed attempt fails the delivery permanently', (t) => {
  t.deepEqual(after(7, answered(500)), { status: 'pending', nextAttemptAt: endedAt + 43_200_000 })
  t.deepEqual(after(8, answered(500)), { status: 'failed' })
  t.deepEqual(after(8, broken('timeout')), { status: 'failed' })
  t.deepEqual(after(8, answered(200)), { status: 'succeeded' })
})

test('an interrupted attempt stays counted and is repeated at once', (t) => {
  t.deepEqual(after(3, broken('interrupted')), { status: 'pending', nextAttemptAt: endedAt })
  t.deepEqual(after(8, broken('interrupted')), { status: 'pending', nextAttemptAt: endedAt })
})

test('a delivery that is sent once has no second attempt, whatever the outcome of the first', (t) => {
  const once = (outcome: AttemptOutcome) =>
    afterAttempt({ seriesAttempts: 1, outcome, endedAt, retrySeconds, once: true })
  t.deepEqual(once(answered(500)), { status: 'failed' })
  t.deepEqual(once(broken('timeout')), { status: 'failed' })
  t.deepEqual(once(broken('interrupted')), { status: 'failed' })
  t.deepEqual(once(answered(204)), { status: 'succeeded' })
})

test('waits may be fractions of a second and due times are whole milliseconds', (t) => {
  t.is(retryDelayMs(1, [0.05]), 50)
  t.is(retryDelayMs(1, [0.0014]), 1)
  t.is(retryDelayMs(2, [0.05]), null)
  t.is(retryDelayMs(1, []), null)
})

function after(seriesAttempts: number, outcome: AttemptOutcome) {
  return afterAttempt({ seriesAttempts, outcome, endedAt, retrySeconds })
}

function answered(status: number): AttemptOutcome {
  return { status, body: '', durationMs: 5, error: null }
}

function broken(error: NonNullable<AttemptOutcome['error']>): AttemptOutcome {
  return { status: null, body: '', durationMs: 5, error }
}
