import test from 'ava'
import { lastDaysFilter } from '#services/dashboard/pages/items/view/day-filters.ts'
import { filterProblem } from '#services/dashboard/pages/items/view/filters.ts'

const now = new Date(2026, 2, 2, 13, 30)

test("the last days of a time begin with a day in the reader's time zone, and include today", (t) => {
  const field = { name: 'createdAt', label: 'created', kind: 'date' } as const
  const filter = lastDaysFilter(field, 7, now)
  t.is(Date.parse(filter.value), new Date(2026, 1, 24).getTime())
  t.is(filter.operator, 'after')
  t.is(filterProblem(field, filter), null)
  t.is(Date.parse(lastDaysFilter(field, 1, now).value), new Date(2026, 2, 2).getTime())
})

test('the last days of an index are days', (t) => {
  const field = { name: 'index.begins', label: 'begins', kind: 'date', pointer: '/begins' } as const
  t.deepEqual(lastDaysFilter(field, 30, now), { field: 'index.begins', operator: 'after', value: '2026-02-01' })
})
