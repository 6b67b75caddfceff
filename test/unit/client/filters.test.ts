import test from 'ava'
import type { ItemQuestion, ItemsOptions } from '#client/src/calls/items.ts'
import {
  after,
  before,
  type Conditions,
  contains,
  eq,
  exactItemFilters,
  gt,
  gte,
  inList,
  itemsWhereQuery,
  lt,
  lte,
  not,
  type Operator,
  itemFilters as ofClient,
  on,
  starts,
  whereQuery,
} from '#client/src/filters.ts'
import { RawNumber } from '#client/src/json.ts'
import {
  type ItemFilterName,
  type ItemOrder,
  itemFilterNames,
  itemFilters,
  withoutValue,
} from '#shared/domain/item/filters.ts'
import { filterPrefixes, type PrefixedKind, type PrefixOf } from '#shared/domain/text/filter-prefixes.ts'

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

test('a plain value means equal', (t) => {
  t.deepEqual(itemsWhereQuery({ n: new RawNumber('9007199254740993') as never }), { 'index.n': 'eq:9007199254740993' })
  t.deepEqual(whereQuery({ name: 'in:a,b', pinned: false, at: time, n: 4 }), {
    name: 'eq:in:a,b',
    pinned: 'false',
    at: 'eq:2026-03-01T10:00:00.000Z',
    n: '4',
  })
})

test('filters that compare whole values are sent unchanged', (t) => {
  t.deepEqual(whereQuery({ status: 'failed', itemId: 'x', tagged: ['a,b', 'c'] }), {
    status: 'failed',
    itemId: 'x',
    tagged: ['a,b', 'c'],
  })
})

test('conditions on index values never collide with a parameter of the same name', (t) => {
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

test('several conditions on one value are sent separately', (t) => {
  t.deepEqual(itemsWhereQuery({ serves: [gte(2), lt(5)], title: ['Soup', starts('s')] }), {
    'index.serves': ['gte:2', 'lt:5'],
    'index.title': ['eq:Soup', 'starts:s'],
  })
})

test('anything that the API would read differently is not sent', (t) => {
  for (const text of ['eq:soup', 'not:soup', 'null']) t.throws(() => contains(text), { instanceOf: RangeError })
  t.throws(() => inList(['a,b']), { instanceOf: RangeError })
  const objects: unknown[] = [{ contains: 'soup' }, ['a', { b: 1 }], starts, Symbol('x')]
  for (const value of objects) {
    t.throws(() => itemsWhereQuery({ title: value as string }), { instanceOf: TypeError, message: /is not a text/ })
  }
})

test('a condition without a value is rejected: without it, rows with any value would be returned', (t) => {
  const rejected: [name: string, value: unknown][] = [
    ['serves', undefined],
    ['serves', [gte(2), undefined]],
    ['identityId', undefined],
    ['tagged', ''],
  ]
  for (const [name, value] of rejected) {
    const where = { [name]: value } as Conditions
    t.throws(() => itemsWhereQuery(where), { instanceOf: TypeError, message: new RegExp(`^where.${name} is `) })
  }
  t.throws(() => whereQuery({ status: '' }), { instanceOf: TypeError })
  t.throws(() => whereQuery({ name: null as never }), { instanceOf: TypeError, message: /^where.name is null/ })
  t.throws(() => gt(undefined as never), { instanceOf: TypeError })
  t.deepEqual(itemsWhereQuery({ identityId: '', title: '' }), { identityId: 'eq:', 'index.title': 'eq:' })
})

test('negated conditions, and conditions on missing values, are sent as the API reads them', (t) => {
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

test('a filter that compares whole values gets no prefix, which it would read as part of the value', (t) => {
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

test('conditions combined with or, and and not are sent as JSON, next to the other conditions', (t) => {
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

// The client imports nothing from the service, so it has its own table of filters, prefixes and orders.

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
type OfAlias = { data: unknown; index: { code: 'alias' }; order: never }

/** The compiler checks the types of the client against those of the API. */
const types: {
  filters: Same<Exclude<keyof ItemQuestion<OfAlias>, 'or' | 'and' | 'not'>, ItemFilterName>
  orders: Same<NonNullable<ItemsOptions<OfAlias>['order']>, ItemOrder>
} = { filters: true, orders: true }

test('the client knows the filters that every list has, and which of them accept no prefixes', (t) => {
  t.deepEqual(ofClient, itemFilterNames)
  const exact = itemFilterNames.filter((name) => {
    const filter = itemFilters[name]
    return 'both' in filter || ['tags', 'words', 'option'].includes(filter.kind)
  })
  t.deepEqual(exactItemFilters, exact)
  t.truthy(types)
})

const conditions: { [Kind in PrefixedKind]: Record<PrefixOf<Kind>, Operator<unknown>> } = {
  text: { eq: eq('a'), starts: starts('a'), in: inList(['a', 'b']) },
  number: { eq: eq(4), lt: lt(4), lte: lte(4), gt: gt(4), gte: gte(4), in: inList([4, 5]) },
  date: {
    eq: eq(time),
    on: on(time),
    lt: lt(time),
    lte: lte(time),
    gt: gt(time),
    gte: gte(time),
    before: before(time),
    after: after(time),
    in: inList([time]),
  },
  id: { eq: eq('a'), in: inList(['a', 'b']) },
}

test('the client has a function for each prefix of each kind, and contains never sends a text that begins with one', (t) => {
  for (const [kind, prefixes] of Object.entries(filterPrefixes)) {
    const ofKind: Record<string, Operator<unknown>> = conditions[kind as PrefixedKind]
    for (const prefix of Object.keys(prefixes)) {
      // A number equals its value without the prefix "eq:".
      const expected = kind === 'number' && prefix === 'eq' ? '4' : `${prefix}:`
      t.true(ofKind[prefix]?.filter.startsWith(expected), `${kind} ${prefix}`)
    }
  }
  for (const prefix of [...Object.keys(filterPrefixes.text), 'not']) t.throws(() => contains(`${prefix}:a`))
  t.throws(() => contains(withoutValue))
  t.is(not(null).filter, `not:${withoutValue}`)
})
