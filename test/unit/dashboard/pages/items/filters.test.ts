import test from 'ava'
import {
  type FilterField,
  type FilterKind,
  filterProblem,
  operatorsOf,
  printFilter,
  readFilter,
} from '#services/dashboard/pages/items/filters.ts'

const field = (kind: FilterKind): FilterField => ({ name: 'x', label: 'x', kind })

const values: Record<FilterKind, string[]> = {
  text: ['soup', 'a,b', ' ', 'gte:1'],
  number: ['4', '-2.5e3'],
  date: ['2026', '2026-03-01T10:00:00.000Z'],
  flag: ['true', 'false'],
  activated: ['any'],
  tags: ['a', 'a,b'],
  ids: ['01890000-0000-7000-8000-000000000001'],
}

test('a condition is printed for the API and read back, with every operator of every kind', (t) => {
  for (const [kind, texts] of Object.entries(values) as [FilterKind, string[]][]) {
    for (const { name: operator } of operatorsOf[kind]) {
      for (const value of texts) {
        const filter = { field: 'x', operator, value }
        t.deepEqual(readFilter(field(kind), printFilter(field(kind), filter)), filter, `${kind} ${operator} ${value}`)
        t.is(filterProblem(field(kind), filter), null, `${kind} ${operator} ${value}`)
      }
    }
  }
})

test('a number or date behind eq: is the same as a plain one', (t) => {
  t.deepEqual(readFilter(field('number'), 'eq:4'), { field: 'x', operator: 'is', value: '4' })
  t.deepEqual(readFilter(field('date'), 'eq:2026'), { field: 'x', operator: 'is', value: '2026' })
})

test('a part of a text that the API would read as another condition is refused', (t) => {
  const filter = { field: 'x', operator: 'contains', value: 'starts:a' }
  t.regex(filterProblem(field('text'), filter) ?? '', /"starts:"/)
  t.is(filterProblem(field('text'), { ...filter, operator: 'is' }), null)
})
