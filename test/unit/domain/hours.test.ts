import test from 'ava'
import { accountStats, changedLists, hourMs, lastHours } from '#shared/domain/hours.ts'

const noon = Date.UTC(2026, 2, 1, 12)

test('the last hours are 24 hours of UTC, ending with the current one', (t) => {
  const hours = lastHours(noon + 1_234)
  t.is(hours.length, 24)
  t.is(hours.at(-1), noon)
  t.is(hours[0], noon - 23 * hourMs)
})

test('counts belong to their hour, and causes of failures are ordered by frequency', (t) => {
  const failure = { succeeded: false, error: null, responseStatus: 502, completedAt: noon }
  const counts = {
    requests: [7, 9],
    changes: [0, 5],
    delivered: [1, 0],
    undelivered: [0, 2],
    ran: [3, 0],
    failed: [0, 4],
  }
  const failures = [{ ...failure, error: 'dns' as const, responseStatus: null }, failure, failure]
  const lists = [{ listId: 'a', changedAt: noon }]
  const runCauses = [{ flowId: 'f', status: 'failed' as const, code: 'LIMIT', count: 4 }]
  t.deepEqual(accountStats([noon - hourMs, noon], { counts, failures, runCauses, lists }), {
    hours: [
      {
        at: '2026-03-01T11:00:00.000Z',
        requests: 7,
        changes: 0,
        deliveries: { succeeded: 1, failed: 0 },
        runs: { succeeded: 3, failed: 0 },
      },
      {
        at: '2026-03-01T12:00:00.000Z',
        requests: 9,
        changes: 5,
        deliveries: { succeeded: 0, failed: 2 },
        runs: { succeeded: 0, failed: 4 },
      },
    ],
    causes: [
      { responseStatus: 502, count: 2 },
      { error: 'dns', count: 1 },
    ],
    runCauses,
    lists: [{ id: 'a', changedAt: '2026-03-01T12:00:00.000Z' }],
  })
})

test('lists are returned in the order of their newest events, without deleted ones', (t) => {
  const event = (listId: string, type: string, createdAt: number) => ({ listId, type, createdAt })
  const events = [
    event('b', 'item-updated', 9),
    event('c', 'list-deleted', 8),
    event('b', 'list-updated', 7),
    event('c', 'item-deleted', 6),
    event('a', 'index-built', 5),
  ]
  t.deepEqual(changedLists(events, 10), [
    { listId: 'b', changedAt: 9 },
    { listId: 'a', changedAt: 5 },
  ])
  t.is(changedLists(events, 1).length, 1)
})
