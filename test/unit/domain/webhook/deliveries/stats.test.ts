import test from 'ava'
import { type Settled, statsOf } from '#shared/domain/webhook/deliveries/stats.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
const success = (at = noon): Settled => ({ succeeded: true, error: null, responseStatus: 204, completedAt: at })
const failure = (why: Partial<Settled>, at = noon): Settled => ({
  ...success(at),
  succeeded: false,
  responseStatus: null,
  ...why,
})

test('without settled deliveries there are no durations, causes or hours', (t) => {
  t.deepEqual(statsOf([], []), { succeeded: 0, failed: 0, causes: [], durations: null, hours: [] })
})

test('causes are those of failures, the most frequent first', (t) => {
  const settled = [
    success(),
    failure({ responseStatus: 502 }),
    failure({ error: 'timeout' }),
    failure({ responseStatus: 500 }),
    failure({ error: 'timeout' }),
    failure({ error: 'timeout' }),
    failure({ responseStatus: 502 }),
  ]
  t.like(statsOf(settled, []), { succeeded: 1, failed: 6 })
  t.deepEqual(statsOf(settled, []).causes, [
    { error: 'timeout', count: 3 },
    { responseStatus: 502, count: 2 },
    { responseStatus: 500, count: 1 },
  ])
})

test('durations are those of attempts, by nearest rank', (t) => {
  const hundred = Array.from({ length: 100 }, (_, n) => 100 - n)
  t.deepEqual(statsOf([], hundred).durations, { p50: 50, p95: 95, max: 100 })
  t.deepEqual(statsOf([], [7]).durations, { p50: 7, p95: 7, max: 7 })
  t.deepEqual(statsOf([], [3, 9]).durations, { p50: 3, p95: 9, max: 9 })
})

test('hours are those in which something settled, oldest first', (t) => {
  const settled = [
    success(noon + 3_599_999),
    failure({ error: 'tls' }, noon),
    success(noon - 1),
    success(noon + 7_200_000),
  ]
  t.deepEqual(statsOf(settled, []).hours, [
    { at: '2026-03-01T11:00:00.000Z', succeeded: 1, failed: 0 },
    { at: '2026-03-01T12:00:00.000Z', succeeded: 1, failed: 1 },
    { at: '2026-03-01T14:00:00.000Z', succeeded: 1, failed: 0 },
  ])
})
