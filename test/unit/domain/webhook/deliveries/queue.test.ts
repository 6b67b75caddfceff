import test from 'ava'
import type { AttemptOutcome } from '#shared/domain/webhook/deliveries/delivery.ts'
import {
  type EndedAttempt,
  laneAfter,
  type QueueProgress,
  queueAfter,
} from '#shared/domain/webhook/deliveries/queue.ts'

const rules = { retrySeconds: [30, 120, 600, 3600, 10_800, 21_600, 43_200], disableAfter: 20 }
const endedAt = 1_700_000_000_000
const answered = (status: number, durationMs = 5): AttemptOutcome => ({ status, body: '', durationMs, error: null })
const interrupted: AttemptOutcome = { status: null, body: '', durationMs: 5, error: 'interrupted' }

test('a success ends the series of failures, and its delivery no longer waits', (t) => {
  t.deepEqual(after({ outcome: answered(204) }), {
    queue: { lane: 'fast', consecutiveFailures: 0, waiting: 6 },
    delivery: { status: 'succeeded' },
    news: 'recovered',
  })
})

test('a failed attempt that is retried changes no counter: its delivery still waits', (t) => {
  t.deepEqual(after({ outcome: answered(500) }), {
    queue: { lane: 'fast', consecutiveFailures: 3, waiting: 7 },
    delivery: { status: 'pending', nextAttemptAt: endedAt + 30_000 },
    news: null,
  })
})

test('a permanently failed delivery extends the series of failures, and no longer waits', (t) => {
  t.deepEqual(after({ outcome: answered(500), seriesAttempts: 8 }), {
    queue: { lane: 'fast', consecutiveFailures: 4, waiting: 6 },
    delivery: { status: 'failed' },
    news: null,
  })
})

test('an interrupted attempt changes no counter, even the last one, and the next is due at once', (t) => {
  t.deepEqual(after({ outcome: interrupted, seriesAttempts: 8 }), {
    queue: { lane: 'fast', consecutiveFailures: 3, waiting: 7 },
    delivery: { status: 'pending', nextAttemptAt: endedAt },
    news: null,
  })
})

test('the twentieth consecutive permanently failed delivery disables the webhook, and so does each further one', (t) => {
  const news = [17, 18, 19, 20, 30].map(
    (consecutiveFailures) => after({ outcome: answered(500), seriesAttempts: 8 }, { consecutiveFailures }).news,
  )
  t.deepEqual(news, [null, null, 'disabled', 'disabled', 'disabled'])
})

test('neither a success nor a retry disables a webhook, however long the series of failures', (t) => {
  t.is(after({ outcome: answered(200) }, { consecutiveFailures: 25 }).news, 'recovered')
  t.is(after({ outcome: answered(500) }, { consecutiveFailures: 25 }).news, null)
})

test('a series of failures is reported when its first delivery fails permanently, and when a success ends it', (t) => {
  const news = (consecutiveFailures: number, status: number) =>
    after({ outcome: answered(status), seriesAttempts: 8 }, { consecutiveFailures }).news
  t.deepEqual([news(0, 500), news(1, 500), news(1, 200), news(0, 200)], ['failing', null, 'recovered', null])
})

test('a ping has one attempt and changes neither counter, whatever the receiver said', (t) => {
  for (const [outcome, status] of [
    [answered(204), 'succeeded'],
    [answered(500), 'failed'],
    [interrupted, 'failed'],
  ] as const) {
    t.deepEqual(after({ event: 'ping', outcome }, { consecutiveFailures: 19 }), {
      queue: { lane: 'fast', consecutiveFailures: 19, waiting: 7 },
      delivery: { status },
      news: null,
    })
  }
})

test('the queue gets the lane of its next attempt, keeps everything else and is not modified itself', (t) => {
  const queue = Object.freeze({ lane: 'fast' as const, consecutiveFailures: 3, waiting: 7, webhookId: 'w' })
  const slow = { ...attempt, lane: 'slow' as const }
  for (const event of ['item.created', 'ping']) {
    for (const status of [204, 500]) {
      const next = queueAfter(queue, { ...slow, event, outcome: answered(status) }, rules).queue
      t.like(next, { lane: 'slow', webhookId: 'w' }, `${event} ${status}`)
    }
  }
})

test('a failed attempt, or a success after more than 2 s, moves its webhook to the slow lane; a quick success moves it back', (t) => {
  for (const lane of ['fast', 'slow'] as const) {
    t.is(laneAfter(lane, answered(200, 2_000)), 'fast')
    t.is(laneAfter(lane, answered(200, 2_001)), 'slow')
    t.is(laneAfter(lane, answered(500)), 'slow')
    t.is(laneAfter(lane, { ...answered(200), error: 'timeout' }), 'slow')
    t.is(laneAfter(lane, interrupted), lane)
  }
})

const attempt = { event: 'item.created', seriesAttempts: 1, endedAt, lane: 'fast' } as const

function after(changes: Partial<EndedAttempt> & { outcome: AttemptOutcome }, queue: Partial<QueueProgress> = {}) {
  return queueAfter({ lane: 'fast', consecutiveFailures: 3, waiting: 7, ...queue }, { ...attempt, ...changes }, rules)
}
