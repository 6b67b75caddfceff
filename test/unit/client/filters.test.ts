import test from 'ava'
import {
  after,
  before,
  type Conditions,
  contains,
  eq,
  gt,
  gte,
  inList,
  itemsWhereQuery,
  lt,
  lte,
  not,
  starts,
  whereQuery,
} from '#client/src/filters.ts'
import { RawNumber } from '#client/src/json.ts'

const time = new Date('2026-03-01T10:00:00.000Z')

test('each condition is sent as the API reads it', (t) => {
  const where = {
    a: gt(4),
    b: gte(4.5),
    c: lt(-1),
    d: lte(0),
    e: eq(4),
    f: eq('soup'),
    g: starts('so'),
    h: contains('ou'),
    i: inList(['soup', 'stew']),
    j: before(time),
    k: after('2026-03-01'),
    l: eq(time),
    m: inList([2, 4.5]),
    n: inList([time]),
  }
  t.deepEqual(whereQuery(where), {
    a: 'gt:4',
    b: 'gte:4.5',
    c: 'lt:-1',
    d: 'lte:0',
    e: '4',
    f: 'eq:soup',
    g: 'starts:so',
    h: 'ou',
    i: 'in:soup,stew',
    j: 'before:2026-03-01T10:00:00.000Z',
    k: 'after:2026-03-01',
    l: 'eq:2026-03-01T10:00:00.000Z',
    m: 'in:2,4.5',
    n: 'in:2026-03-01T10:00:00.000Z',
  })
})

test('a value alone has to be equal', (t) => {
  t.deepEqual(itemsWhereQuery({ n: new RawNumber('9007199254740993') as never }), { 'index.n': 'eq:9007199254740993' })
  t.deepEqual(whereQuery({ name: 'in:a,b', pinned: false, at: time, n: 4 }), {
    name: 'eq:in:a,b',
    pinned: 'false',
    at: 'eq:2026-03-01T10:00:00.000Z',
    n: '4',
  })
})

test('filters that compare whole values are sent as they are', (t) => {
  t.deepEqual(whereQuery({ status: 'failed', itemId: 'x', tagged: ['a,b', 'c'] }), {
    status: 'failed',
    itemId: 'x',
    tagged: ['a,b', 'c'],
  })
})

test('conditions on index values never meet a parameter of the same name', (t) => {
  t.deepEqual(itemsWhereQuery({ status: 'open', limit: gt(1), signal: 'x', alias: 'soup', 'index.alias': 'y' }), {
    'index.status': 'eq:open',
    'index.limit': 'gt:1',
    'index.signal': 'eq:x',
    alias: 'eq:soup',
    'index.alias': 'eq:y',
  })
  const own = { tagged: 'a', activated: 'any', identityId: inList(['x', 'y']), mine: true, readonly: true }
  t.deepEqual(itemsWhereQuery(own), {
    tagged: 'a',
    activated: 'any',
    identityId: 'in:x,y',
    mine: 'true',
    readonly: 'true',
  })
})

test('several conditions on one value are sent each', (t) => {
  t.deepEqual(itemsWhereQuery({ serves: [gte(2), lt(5)], title: ['Soup', starts('s')] }), {
    'index.serves': ['gte:2', 'lt:5'],
    'index.title': ['eq:Soup', 'starts:s'],
  })
})

test('what the API would read as something else is not sent', (t) => {
  for (const text of ['eq:soup', 'not:soup', 'null']) t.throws(() => contains(text), { instanceOf: RangeError })
  t.throws(() => inList(['a,b']), { instanceOf: RangeError })
  const objects: unknown[] = [{ contains: 'soup' }, ['a', { b: 1 }], starts, Symbol('x')]
  for (const value of objects) {
    t.throws(() => itemsWhereQuery({ title: value as string }), { instanceOf: TypeError, message: /is not a text/ })
  }
})

test('a condition without a value is refused: without it, rows with any value would be answered', (t) => {
  const refused: [name: string, value: unknown][] = [
    ['serves', undefined],
    ['serves', [gte(2), undefined]],
    ['identityId', undefined],
    ['tagged', ''],
  ]
  for (const [name, value] of refused) {
    const where = { [name]: value } as Conditions
    t.throws(() => itemsWhereQuery(where), { instanceOf: TypeError, message: new RegExp(`^where.${name} is `) })
  }
  t.throws(() => whereQuery({ status: '' }), { instanceOf: TypeError })
  t.throws(() => whereQuery({ name: null as never }), { instanceOf: TypeError, message: /^where.name is null/ })
  t.throws(() => gt(undefined as never), { instanceOf: TypeError })
  t.deepEqual(itemsWhereQuery({ identityId: '', title: '' }), { identityId: 'eq:', 'index.title': 'eq:' })
})

test('the contrary of a condition, and what has no value, are sent as the API reads them', (t) => {
  const where = {
    a: not('soup'),
    b: not(gt(4)),
    c: not(4),
    d: null,
    e: [not(null), not(starts('s'))],
    f: not(not('x')),
  }
  t.deepEqual(itemsWhereQuery(where), {
    'index.a': 'not:eq:soup',
    'index.b': 'not:gt:4',
    'index.c': 'not:4',
    'index.d': 'null',
    'index.e': ['not:null', 'not:starts:s'],
    'index.f': 'not:not:eq:x',
  })
  const fields = {
    tagged: null,
    identityId: null,
    createdAt: before(time),
    version: '1.0.0',
    size: gte(5),
    search: 'soup',
    alias: null,
  }
  t.deepEqual(itemsWhereQuery(fields), {
    tagged: 'null',
    identityId: 'null',
    createdAt: 'before:2026-03-01T10:00:00.000Z',
    version: 'eq:1.0.0',
    size: 'gte:5',
    search: 'soup',
    alias: 'null',
  })
})

test('a filter that compares whole values gets no prefix, which it would read as a part of the value', (t) => {
  const where = {
    tagged: [not('draft'), inList(['a', 'b']), eq('c'), not(inList(['d', 'e'])), not(null)],
    activated: not(true),
  }
  t.deepEqual(itemsWhereQuery({ ...where, search: not('soup') }), {
    tagged: ['not:draft', 'a,b', 'c', 'not:d,e', 'not:null'],
    activated: 'not:true',
    search: 'not:soup',
  })
  t.deepEqual(itemsWhereQuery({ not: { tagged: eq('draft') } }), { where: '{"not":{"tagged":"draft"}}' })
  for (const tagged of [starts('a'), contains('a'), not(starts('a'))]) {
    t.throws(() => itemsWhereQuery({ tagged }), {
      instanceOf: TypeError,
      message: /^where.tagged compares whole values/,
    })
    t.throws(() => whereQuery({ tagged }), { instanceOf: TypeError })
  }
})

test('what goes together by or, and and not is sent as JSON, beside the other conditions', (t) => {
  const where = {
    serves: gte(2),
    or: [{ cuisine: 'thai' }, { and: [{ minutes: lt(20) }, { not: { tagged: 'draft', readonly: true } }] }],
    not: { size: [gt(5), lt(9)], mine: true, plain: null },
  }
  const { where: text, ...others } = itemsWhereQuery(where)
  t.deepEqual(others, { 'index.serves': 'gte:2' })
  t.deepEqual(JSON.parse(String(text)), {
    or: [
      { 'index.cuisine': 'eq:thai' },
      { and: [{ 'index.minutes': 'lt:20' }, { not: { tagged: 'draft', readonly: 'true' } }] },
    ],
    not: { size: ['gt:5', 'lt:9'], mine: 'true', 'index.plain': 'null' },
  })
  for (const wrong of ['x', ['x'], gt(5)]) {
    t.throws(() => itemsWhereQuery({ or: wrong as never }), { instanceOf: TypeError, message: /array of objects/ })
  }
  t.throws(() => itemsWhereQuery({ not: { title: undefined as never } }), { message: /^where.title is undefined/ })
})
