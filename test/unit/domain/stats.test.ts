import test from 'ava'
import { createdStats, dayMs, eventStats, lastDays } from '#shared/domain/stats.ts'

const noon = Date.UTC(2026, 2, 1, 12)
const today = Date.UTC(2026, 2, 1)
const days = lastDays(noon, 3)

test('the days are those of UTC, ending with today, even over the end of a month', (t) => {
  t.deepEqual(days, [today - 2 * dayMs, today - dayMs, today])
  t.deepEqual(lastDays(today, 1), [today])
  t.deepEqual(lastDays(today - 1, 1), [today - dayMs])
})

const counts = [
  { type: 'item-updated', day: today, entries: 2 },
  { type: 'item-created', day: today, entries: 1 },
  { type: 'item-created', day: today - 2 * dayMs, entries: 3 },
  { type: 'item-created', day: today - 3 * dayMs, entries: 10 },
  { type: 'item-updated', day: today, entries: 5 },
]

test('events are counted in all, in the period, and by day and type', (t) => {
  t.deepEqual(eventStats({ counts, since: null }, days), {
    total: 21,
    totalThisPeriod: 11,
    metrics: [
      { date: '2026-02-27', count: 3, types: { 'item-created': 3 } },
      { date: '2026-02-28', count: 0, types: {} },
      { date: '2026-03-01', count: 8, types: { 'item-created': 1, 'item-updated': 7 } },
    ],
  })
})

test('counts that do not include all events say so, and since when they count', (t) => {
  const stats = eventStats({ counts, since: today - dayMs + 1 }, days)
  t.deepEqual([stats.total, stats.totalIsAtLeast, stats.countedSince], [21, true, '2026-02-28T00:00:00.001Z'])
})

test('resources keep their number; only a count that began within the period says so', (t) => {
  const created = { counts: counts.filter(({ type }) => type === 'item-created'), since: today - 9 * dayMs }
  t.deepEqual(createdStats(7, created, days), {
    total: 7,
    totalThisPeriod: 4,
    metrics: [
      { date: '2026-02-27', count: 3 },
      { date: '2026-02-28', count: 0 },
      { date: '2026-03-01', count: 1 },
    ],
  })
  t.is(createdStats(7, { ...created, since: today }, days).countedSince, '2026-03-01T00:00:00.000Z')
})

test('without any events each day has none', (t) => {
  const none = eventStats({ counts: [], since: null }, days)
  t.deepEqual([none.total, none.totalThisPeriod, none.metrics.map(({ count }) => count)], [0, 0, [0, 0, 0]])
})
