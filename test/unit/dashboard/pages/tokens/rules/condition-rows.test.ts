import test from 'ava'
import type { Index } from '#client/src/types/resources.ts'
import {
  callerValuesFor,
  printRows,
  readRows,
  ruleFilterFields,
  type Where,
} from '#services/dashboard/pages/tokens/rules/condition-rows.ts'

const index = (pathName: string, more: Partial<Index> = {}) =>
  ({
    pathName,
    pointer: `/${pathName}`,
    valueType: 'string',
    filtering: true,
    activated: true,
    guard: false,
    ...more,
  }) as Index

const posts = [
  index('status'),
  index('members'),
  index('minutes', { valueType: 'number' }),
  index('publishAt', { valueType: 'date' }),
  index('size', { pointer: '/shoe/size' }),
]
const fields = ruleFilterFields([posts])
const fieldNamed = (name: string) => {
  const found = fields.find((field) => field.name === name)
  if (!found) throw new Error(`there is no field ${name}`)
  return found
}
const back = (where: Where) => printRows(readRows(where, fields))

test('conditions can use the indexes that filter and the fields that conditions of rules have', (t) => {
  t.deepEqual(
    fields.map(({ name }) => name),
    ['status', 'members', 'minutes', 'publishAt', 'index.size', 'tagged', 'readonly', 'createdAt', 'updatedAt', 'size'],
  )
})

test('for several lists conditions can use the indexes that all of them have, with the same type', (t) => {
  const names = (lists: Index[][]) =>
    ruleFilterFields(lists)
      .filter(({ pointer }) => pointer)
      .map(({ name }) => name)
  t.deepEqual(names([posts, [index('status'), index('minutes')]]), ['status'])
  t.deepEqual(names([posts, [index('status', { filtering: false })]]), [])
})

test('an index that does not filter, or is deactivated, says so; one that guards values is not offered', (t) => {
  const problems = ruleFilterFields([
    [index('plain', { filtering: false }), index('off', { activated: false }), index('secret', { guard: true })],
  ])
  t.deepEqual(
    problems.filter(({ pointer }) => pointer).map(({ name, problem }) => [name, problem]),
    [
      ['plain', 'its index does not filter'],
      ['off', 'its index is switched off'],
    ],
  )
  const building = ruleFilterFields([[index('status', { buildStatus: 'building' })]])
  t.is(building[0]?.problem, undefined)
})

const wheres: Where[] = [
  { status: 'eq:published', publishAt: 'before:$now' },
  { members: 'eq:$identity.id' },
  { members: 'in:$identity.tags', status: 'not:eq:draft' },
  { tagged: 'in:$token.tags' },
  { tagged: 'not:in:$token.tags' },
  { tagged: 'a,b', readonly: 'true' },
  { minutes: ['gte:4', 'lt:30'], status: 'null' },
  { status: 'in:draft,returned', price$: 'eq:$$5' },
  { or: [{ status: 'eq:a' }, { not: { tagged: 'x' } }], and: [{ status: 'eq:b' }] },
  { 'index.size': 'eq:XL' },
]

for (const where of wheres) {
  test(`conditions are the same after they were shown as rows of controls: ${JSON.stringify(where)}`, (t) => {
    t.deepEqual(back(where), { where })
  })
}

test('conditions that no row can show stay as JSON in their place', (t) => {
  const where = { gone: 'eq:x', status: 'eq:a', or: [{ status: 'eq:b' }, { minutes: 3 }] }
  t.deepEqual(
    readRows(where, fields).map((row) => (row.kind === 'json' ? row.text : row.filter)),
    ['{"gone":"eq:x"}', { field: 'status', operator: 'is', value: 'a' }, '{"or":[{"status":"eq:b"},{"minutes":3}]}'],
  )
  t.deepEqual(back(where), { where })
})

test('several groups of one name are combined, and none is lost', (t) => {
  const or = (status: string) => ({ kind: 'json', text: JSON.stringify({ or: [{ status }] }) }) as const
  t.deepEqual(printRows([or('a'), or('b'), or('c')]), {
    where: { or: [{ status: 'a' }], and: [{ or: [{ status: 'b' }] }, { or: [{ status: 'c' }] }] },
  })
  const and = { kind: 'json', text: '{"and": [{"status": "d"}]}' } as const
  t.deepEqual(printRows([and, or('a'), and, or('b')]), {
    where: { and: [{ status: 'd' }, { status: 'd' }, { or: [{ status: 'b' }] }], or: [{ status: 'a' }] },
  })
  t.deepEqual(printRows([]), { where: undefined })
})

test('a condition without a value, or that is not valid JSON, is reported by its position', (t) => {
  const filter = { field: 'minutes', operator: 'gte', value: 'many' }
  const row = { kind: 'filter', field: fieldNamed('minutes'), filter } as const
  t.deepEqual(printRows([row]), { problem: 'Condition 1 on minutes must be a number, such as 4 or 2.5.' })
  t.regex(JSON.stringify(printRows([{ kind: 'json', text: '{"or": [}' }])), /Condition 1 must be JSON/)
  t.regex(JSON.stringify(printRows([{ kind: 'json', text: '[]' }])), /Condition 1 must be JSON/)
})

test('values of the caller are offered where the API accepts them', (t) => {
  t.true(callerValuesFor(fieldNamed('status'), 'is').includes('$identity.id'))
  t.deepEqual(callerValuesFor(fieldNamed('status'), 'contains'), [])
  t.true(callerValuesFor(fieldNamed('tagged'), 'not-in').includes('$token.tags'))
  t.deepEqual(callerValuesFor(fieldNamed('publishAt'), 'before'), ['$now'])
  t.deepEqual(callerValuesFor(fieldNamed('publishAt'), 'on'), [])
  t.deepEqual(callerValuesFor(fieldNamed('minutes'), 'is'), [])
})
