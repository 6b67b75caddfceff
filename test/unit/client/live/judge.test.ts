import test from 'ava'
import { gt, inList, not, starts } from '#client/src/filters.ts'
import { judge } from '#client/src/live/judge.ts'

const index = { valueType: 'string', alias: false, defaultOrderDirection: 'asc' } as const
const indexes = new Map([
  ['status', { ...index, pointer: '/status' }],
  ['deep', { ...index, pointer: '/a/b', valueType: 'number' as const }],
  ['odd', { ...index, pointer: '/~0' }],
  ['name', { ...index, pointer: '/status', alias: true }],
  ['mine', { ...index, pointer: '/status' }],
])
const of = (where: object, data: unknown = { status: 'Open', a: { b: 4 } }) =>
  judge(where, { id: 'i-1', readonly: false, activated: true, data } as never, indexes)

test('numbers, flags, ids and ASCII texts are judged', (t) => {
  t.true(of({}))
  t.true(of({ status: 'OPEN', deep: [gt(3), 4], readonly: false, id: 'i-1' }))
  t.false(of({ status: 'closed' }))
  t.true(of({ status: inList(['new', 'open']) }))
  t.false(of({ status: not('open') }))
  t.true(of({ status: not('open') }, {}))
  t.true(of({ status: null }, {}))
  t.true(of({ 'index.mine': 'open' }))
})

test('a condition that only the service can judge is uncertain, unless another condition fails', (t) => {
  const unsure = [
    { status: 'Grün' },
    { status: starts('op') },
    { odd: 'x' },
    { name: 'open' },
    { mine: true },
    { tagged: 'a' },
    { or: [{ status: 'open' }] },
    { createdAt: '2026-01-01T00:00:00Z' },
    { unknown: 4 },
  ]
  for (const where of unsure) t.is(of(where), undefined, JSON.stringify(where))
  for (const data of [{ status: ['open'] }, { status: 4 }, { status: 'İ' }, { status: null }])
    t.is(of({ status: 'open' }, data), undefined)
  t.false(of({ tagged: 'a', status: 'closed' }))
  t.is(of({ status: not('Grün') }), undefined)
})
