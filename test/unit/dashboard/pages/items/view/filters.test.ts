import test from 'ava'
import {
  asksForAny,
  type FilterField,
  type FilterKind,
  filterProblem,
  operatorsOf,
  printFilter,
  readFilter,
  wordsOf,
} from '#services/dashboard/pages/items/view/filters.ts'

const optional = new Set<FilterKind>(['text', 'number', 'date', 'tags', 'id'])
const field = (kind: FilterKind): FilterField => ({
  name: 'x',
  label: 'x',
  kind,
  ...(optional.has(kind) && { optional: true }),
})

const values: Record<FilterKind, string[]> = {
  text: ['soup', 'a,b', ' ', 'gte:1', 'nullable'],
  number: ['4', '-2.5e3'],
  date: ['2026', '2026-03-01T10:00:00.000Z'],
  flag: ['true', 'false'],
  activated: ['any'],
  tags: ['a', 'a,b'],
  id: ['01890000-0000-7000-8000-000000000001'],
  where: ['{"or": [{"title": "not:soup"}, {"and": [{"serves": [1, null]}, {"not": {"tagged": "a"}}]}]}', '{}'],
}

const valuesOf: Readonly<Record<string, string[]>> = { on: ['2026-03-01'], 'not-on': ['2026-03-01'] }

test('a condition is printed for the API and read back, with every operator of every kind', (t) => {
  for (const [kind, texts] of Object.entries(values) as [FilterKind, string[]][]) {
    for (const { name: operator } of operatorsOf(field(kind))) {
      for (const value of asksForAny(operator) ? [''] : (valuesOf[operator] ?? texts)) {
        const filter = { field: 'x', operator, value }
        t.deepEqual(readFilter(field(kind), printFilter(field(kind), filter)), filter, `${kind} ${operator} ${value}`)
        t.is(filterProblem(field(kind), filter), null, `${kind} ${operator} ${value}`)
      }
    }
  }
})

test('not: is negation, even if it is repeated, and null means without a value', (t) => {
  const printed = (kind: FilterKind, operator: string, value: string) =>
    printFilter(field(kind), { field: 'x', operator, value })
  t.is(printed('text', 'not-contains', 'soup'), 'not:soup')
  t.is(printed('number', 'not-gte', '4'), 'not:gte:4')
  t.is(printed('date', 'empty', ''), 'null')
  t.is(printed('tags', 'not-empty', ''), 'not:null')
  t.deepEqual(readFilter(field('number'), 'not:not:lt:4'), { field: 'x', operator: 'lt', value: '4' })
  t.deepEqual(readFilter(field('text'), 'eq:null'), { field: 'x', operator: 'is', value: 'null' })
  t.like(readFilter({ name: 'x', label: 'x', kind: 'text' }, 'null'), { operator: 'contains', value: 'null' })
})

test('not: before a flag means the other flag', (t) => {
  t.like(readFilter(field('flag'), 'not:true'), { operator: 'is', value: 'false' })
  t.like(readFilter(field('activated'), 'not:0'), { operator: 'is', value: 'true' })
  t.is(filterProblem(field('activated'), readFilter(field('activated'), 'not:any')), 'must be true, false or any')
})

test('where must be an object of conditions', (t) => {
  const reported = (value: string) => filterProblem(field('where'), { field: 'where', operator: 'where', value })
  for (const value of [
    'soup',
    '[]',
    'null',
    '{"or": {}}',
    '{"or": [1]}',
    '{"not": "a"}',
    '{"a": {"b": 1}}',
    '{"a": [[1]]}',
  ])
    t.regex(reported(value) ?? '', /^must be JSON/, value)
  t.is(readFilter(field('where'), 'not:{}').value, 'not:{}')
})

test('a number or date after eq: is the same as a plain one', (t) => {
  t.deepEqual(readFilter(field('number'), 'eq:4'), { field: 'x', operator: 'is', value: '4' })
  t.deepEqual(readFilter(field('date'), 'eq:2026'), { field: 'x', operator: 'is', value: '2026' })
})

test('a part of a text that the API would read as another condition is rejected', (t) => {
  const filter = { field: 'x', operator: 'contains', value: 'starts:a' }
  t.regex(filterProblem(field('text'), filter) ?? '', /"starts:"/)
  t.regex(filterProblem(field('text'), { ...filter, operator: 'not-contains', value: 'null' }) ?? '', /"null"/)
  t.is(filterProblem(field('text'), { ...filter, operator: 'is' }), null)
  t.regex(filterProblem(field('tags'), { field: 'x', operator: 'in', value: 'null' }) ?? '', /"null"/)
})

test('filters on dates that mean the same are shown as one, and so is a day', (t) => {
  const created = { name: 'createdAt', label: 'created', kind: 'date' } as const
  const shown = (source: string) => {
    const filter = readFilter(created, source)
    return [wordsOf(created, filter), printFilter(created, filter), filterProblem(created, filter)]
  }
  t.deepEqual(shown('gte:2026-03-01'), ['from', 'after:2026-03-01', null])
  t.deepEqual(shown('lte:2026-03-01'), ['until', 'before:2026-03-01', null])
  t.deepEqual(shown('gt:2026-03-01'), ['later than', 'gt:2026-03-01', null])
  t.deepEqual(shown('not:on:2026-03-01'), ['not on the day', 'not:on:2026-03-01', null])
  t.deepEqual(shown('on:2026-03'), ['on the day', 'on:2026-03', 'must be a day such as 2026-03-01'])
})
