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
  starts,
  whereQuery,
} from '../../../client/src/filters.ts'
import { RawNumber } from '../../../client/src/json.ts'

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
  t.throws(() => contains('eq:soup'), { instanceOf: RangeError })
  t.throws(() => inList(['a,b']), { instanceOf: RangeError })
  const objects: unknown[] = [{ contains: 'soup' }, ['a', { b: 1 }], starts, Symbol('x')]
  for (const value of objects) {
    t.throws(() => itemsWhereQuery({ title: value as string }), { instanceOf: TypeError, message: /is not a text/ })
  }
})

test('a condition without a value is refused: without it, rows with any value would be answered', (t) => {
  const refused: [name: string, value: unknown][] = [
    ['serves', undefined],
    ['serves', null],
    ['serves', [gte(2), undefined]],
    ['identityId', undefined],
    ['tagged', ''],
  ]
  for (const [name, value] of refused) {
    const where = { [name]: value } as Conditions
    t.throws(() => itemsWhereQuery(where), { instanceOf: TypeError, message: new RegExp(`^where.${name} is `) })
  }
  t.throws(() => whereQuery({ status: '' }), { instanceOf: TypeError })
  t.throws(() => gt(undefined as never), { instanceOf: TypeError })
  t.deepEqual(itemsWhereQuery({ identityId: '', title: '' }), { identityId: 'eq:', 'index.title': 'eq:' })
})
