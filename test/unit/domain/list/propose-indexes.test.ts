import test from 'ava'
import { type ProposedFields, proposeIndexes } from '#shared/domain/list/propose-indexes.ts'
import { isPathName } from '#shared/domain/path-name.ts'
import { observeSamples } from '#shared/json-schema/infer/observe.ts'
import { randomJson, seeded } from '../../../support/load/random-json.ts'

const propose = (items: readonly unknown[]) => proposeIndexes(observeSamples(items.map((item) => JSON.stringify(item))))
const fieldsOf = (items: readonly unknown[]): Record<string, ProposedFields> =>
  Object.fromEntries(propose(items).map(({ pathName, fields }) => [pathName, fields]))

const recipes = [
  { slug: 'pancakes', title: 'Pancakes', serves: 4, course: 'sweet', publishedAt: '2026-01-01', author: { name: 'Mia' }, steps: ['stir'], method: 'Stir all of it, then wait for an hour or two. Fry it in butter.' },
  { slug: 'miso-soup', title: 'Miso soup', serves: 2.5, course: 'soup', publishedAt: '2026-02-01', author: { name: 'Kai' }, steps: ['cook'], method: 'Cook it.' },
] // biome-ignore format: a table

test('names, titles, numbers, dates, texts and nested values get the index that they are likely to need', (t) => {
  t.deepEqual(fieldsOf(recipes), {
    slug: { pointer: '/slug', alias: true, filtering: true, sorting: true },
    title: { pointer: '/title', searching: true, filtering: true, sorting: true },
    'author-name': { pointer: '/author/name', searching: true, filtering: true, sorting: true },
    serves: { pointer: '/serves', valueType: 'number', filtering: true, sorting: true },
    course: { pointer: '/course', filtering: true },
    'published-at': { pointer: '/publishedAt', valueType: 'date', filtering: true, sorting: true, defaultOrderDirection: 'desc' },
    method: { pointer: '/method', searching: true },
  }) // biome-ignore format: a table
})

test('every proposal says why', (t) => {
  for (const { reason } of propose(recipes)) t.regex(reason, /^[A-Z].*\.$/)
})

test('an alias is a value that all items have and no two share', (t) => {
  t.true(fieldsOf([{ id: 7 }, { id: 8 }]).id?.alias)
  t.is(fieldsOf([{ id: 7 }, { id: 7 }]).id?.alias, undefined)
  t.is(fieldsOf([{ slug: 'a' }, {}]).slug?.alias, undefined)
  t.is(fieldsOf([{ slug: 'a' }, { slug: null }]).slug?.alias, undefined)
  t.is(fieldsOf([{ slug: 'two words' }]).slug?.alias, undefined)
  t.is(
    proposeIndexes(observeSamples(['{"id":9007199254740993}', '{"id":9007199254740994}']))[0]?.fields.alias,
    undefined,
  )
})

test('a list has one alias, the most likely one', (t) => {
  const both = fieldsOf([{ id: 1, slug: 'a', nested: { slug: 'b' } }])
  t.true(both.slug?.alias)
  t.deepEqual(both.id, { pointer: '/id', valueType: 'number', filtering: true, sorting: true })
  t.is(both['nested-slug']?.alias, undefined)
})

test('a name that only ends like an alias must be unique in some items', (t) => {
  const orders = Array.from({ length: 5 }, (_, n) => ({ orderId: `o-${n}` }))
  t.true(fieldsOf(orders)['order-id']?.alias)
  t.is(fieldsOf(orders.slice(0, 4))['order-id']?.alias, undefined)
})

test('objects, arrays, flags, addresses, and values of several types get no index', (t) => {
  t.deepEqual(
    propose([
      { a: { b: {} }, c: [1], d: true, e: 'https://example.com/a.png', f: null },
      { f: null, g: {} },
    ]),
    [],
  )
  t.deepEqual(propose([{ a: 1 }, { a: 'x' }]), [])
  t.deepEqual(propose([1, 2]), [])
})

test('pointers are escaped, path names are valid and different, and their number is limited', (t) => {
  t.deepEqual(
    propose([{ 'a/b': 1, 'a~b': 2, 'A b': 3, 名前: 4, '': 5 }]).map(({ pathName, fields }) => [pathName, fields.pointer]),
    [['a-b', '/a~1b'], ['a-b-2', '/a~0b'], ['a-b-3', '/A b'], ['index', '/名前']],
  ) // biome-ignore format: a table
  t.is(propose([Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`p${n}`, n]))]).length, 12)
  const random = seeded(77)
  for (let round = 0; round < 100; round++) {
    const names = proposeIndexes(observeSamples([randomJson(random).compact])).map(({ pathName }) => pathName)
    t.true(names.every(isPathName))
    t.is(new Set(names).size, names.length)
  }
})
