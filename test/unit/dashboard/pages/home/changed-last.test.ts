import test from 'ava'
import type { List } from '#client/src/types/resources.ts'
import { changedLast } from '#services/dashboard/pages/home/changed-last.ts'

const list = (id: string, day: number) => ({ id, updatedAt: `2026-03-0${day}T00:00:00.000Z` }) as List

test('the lists changed last are those whose items changed last, too', (t) => {
  const lists = [list('c', 3), list('b', 2), list('a', 1)]
  const reported = changedLast(lists, [
    { id: 'a', changedAt: '2026-03-04T00:00:00.000Z' },
    { id: 'c', changedAt: '2026-03-01T00:00:00.000Z' },
    { id: 'gone', changedAt: '2026-03-05T00:00:00.000Z' },
  ])
  t.deepEqual(
    reported.map(({ list: { id }, changedAt }) => [id, changedAt.slice(0, 10)]),
    [
      ['a', '2026-03-04'],
      ['c', '2026-03-03'],
      ['b', '2026-03-02'],
    ],
  )
})

test('ten lists are shown', (t) => {
  t.is(
    changedLast(
      Array.from({ length: 12 }, (_, n) => list(`${n}`, 1)),
      [],
    ).length,
    10,
  )
})
