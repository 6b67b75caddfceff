import test from 'ava'
import { numberKey } from '#shared/domain/item/index-key.ts'
import { type IndexValue, indexValues, keysAt, unreachableAliases } from '#shared/domain/item/index-value.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'

function index(changes: Partial<ListIndex>): ListIndex {
  return {
    id: 'index-1',
    accountId: 'account-1',
    listId: 'list-1',
    createdAt: 0,
    updatedAt: 0,
    name: 'x',
    description: '',
    tags: [],
    pathName: 'x',
    scope: null,
    pointer: '/x',
    valueType: 'string',
    alias: false,
    sorting: false,
    filtering: false,
    searching: false,
    guard: false,
    defaultOrderDirection: 'asc',
    activated: true,
    buildStatus: 'ready',
    arrays: false,
    valuesId: changes.id ?? 'index-1',
    ...changes,
  }
}

const nothing = { indexId: 'index-1', orderKey: null, filterKey: null, aliasText: null }

/** The values of one index for `{"x": value}`. */
function extracted(changes: Partial<ListIndex>, value: unknown) {
  return indexValues([index(changes)], { x: value })
}

const entries: [claim: string, changes: Partial<ListIndex>, value: unknown, entry: Partial<IndexValue>][] = [
  ['a string is stored caseless', { valueType: 'string' }, 'Straße', { orderKey: 'strasse', filterKey: 'strasse' }],
  ['an empty string is a string', { valueType: 'string' }, '', { orderKey: '', filterKey: '' }],
  ['a number is not a string', { valueType: 'string' }, 5, {}],
  ['a number is stored unchanged', { valueType: 'number' }, -1.5, { orderKey: numberKey(-1.5) }],
  ['-0 is 0', { valueType: 'number' }, -0, { orderKey: numberKey(0) }],
  ['a number too big for a double is the greatest', { valueType: 'number' }, Number.POSITIVE_INFINITY, { orderKey: numberKey(Number.MAX_VALUE) }],
  ['one too small is the least', { valueType: 'number' }, Number.NEGATIVE_INFINITY, { orderKey: numberKey(-Number.MAX_VALUE) }],
  ['a string is not a number', { valueType: 'number' }, '5', {}],
  ['a date is stored in milliseconds', { valueType: 'date' }, '2026-03-01T10:00:00+01:00', { orderKey: numberKey(Date.UTC(2026, 2, 1, 9)) }],
  ['other text is not a date', { valueType: 'date' }, 'tomorrow', {}],
  ['a number is not a date', { valueType: 'date' }, 1_772_360_430_000, {}],
  ['true has no index value', { valueType: 'string', alias: true }, true, {}],
  ['null has none either', { valueType: 'string', alias: true }, null, {}],
  ['an object has none either', { valueType: 'string', alias: true }, { a: 'b' }, {}],
  ['an alias is exact', { alias: true }, 'Straße', { orderKey: 'strasse', filterKey: 'strasse', aliasText: 'Straße' }],
  ['a number is an alias by its text', { alias: true, valueType: 'number' }, 5, { orderKey: numberKey(5), filterKey: '5', aliasText: '5' }],
  ['also where it is of another type', { alias: true, valueType: 'string' }, 1.5, { orderKey: '1.5', filterKey: '1.5', aliasText: '1.5' }],
  ['so is a text that is not a date', { alias: true, valueType: 'date' }, 'soon', { filterKey: 'soon', aliasText: 'soon' }],
] // biome-ignore format: a table

for (const [claim, changes, value, entry] of entries) {
  test(`the values of an index: ${claim}`, (t) => {
    t.deepEqual(extracted(changes, value), { values: [{ ...nothing, ...entry }], errors: [] })
  })
}

test('an item without a value has an entry without keys', (t) => {
  for (const data of [{}, null, 'x', [1], { y: 1 }]) {
    t.deepEqual(indexValues([index({})], data), { values: [nothing], errors: [] })
  }
})

test('the flags of an index other than alias have no effect on its values, so they can change without a build', (t) => {
  const flags = { sorting: true, filtering: true, searching: true, guard: true, activated: false }
  t.deepEqual(extracted(flags, 'a'), extracted({}, 'a'))
})

test('every index has its own entry, in the order of the indexes', (t) => {
  const data = { a: { b: ['x', 'Y'] }, n: 7 }
  const indexes = [index({ id: 'n', pointer: '/n', valueType: 'number' }), index({ id: 'b', pointer: '/a/b/1' })]
  t.deepEqual(
    indexValues([...indexes, index({ id: 'none', pointer: '/constructor' })], data).values,
    [{ ...nothing, indexId: 'n', orderKey: numberKey(7) }, { ...nothing, indexId: 'b', orderKey: 'y', filterKey: 'y' }, { ...nothing, indexId: 'none' }],
  ) // biome-ignore format: a row each
})

test('the whole data can be the value', (t) => {
  t.is(indexValues([index({ pointer: '' })], 'A').values[0]?.filterKey, 'a')
})

const errors: [claim: string, value: unknown, message: RegExp][] = [
  ['more than 1,024 characters', 'x'.repeat(1_025), /at most 1024 characters/],
  ['U+0000', 'a\u0000b', /U\+0000/],
  ['a number that has been rounded', 2 ** 53, /too big/],
  ['a number beyond a double', Number.POSITIVE_INFINITY, /too big/],
]

for (const [claim, value, message] of errors) {
  test(`an alias is rejected for ${claim}, and the error says where`, (t) => {
    const { values, errors: found } = indexValues([index({ alias: true, pointer: '/a~1b/0' })], { 'a/b': [value] })
    t.deepEqual(values, [])
    t.is(found.length, 1)
    t.is(found[0]?.path, 'data.a/b.0')
    t.regex(found[0]?.message ?? '', message)
  })
}

for (const alias of ['', '.', '..']) {
  test(`no address can name the alias ${JSON.stringify(alias)}, and an item keeps only the one that it has`, (t) => {
    const indexes = [index({ alias: true, pointer: '/slug' }), index({ id: 'other', pointer: '/other' })]
    const pathsOf = (...data: [written: object, stored?: object]) =>
      unreachableAliases(indexes, data[0], data[1] && JSON.stringify(data[1])).map(({ path }) => path)
    t.deepEqual(pathsOf({ slug: alias, other: alias }), ['data.slug'])
    t.deepEqual(pathsOf({ slug: alias }, { slug: 'a' }), ['data.slug'])
    t.deepEqual(pathsOf({ slug: alias, n: 2 }, { slug: alias, n: 1 }), [])
    t.is(indexValues(indexes, { slug: alias }).values[0]?.aliasText, alias)
  })
}

test('other aliases of dots, and texts that are not aliases, are accepted', (t) => {
  const indexes = [index({ alias: true, pointer: '/slug' }), index({ pointer: '/slug' })]
  for (const slug of ['...', '.a', '..a', ' ', '%2e', null, 0, []])
    t.deepEqual(unreachableAliases(indexes, { slug }), [])
})

test('an alias may have 1,024 characters, whatever their size in bytes', (t) => {
  t.deepEqual(extracted({ alias: true }, '😀'.repeat(1_024)).errors, [])
})

test('every error is reported, together with the other entries', (t) => {
  const indexes = [index({ alias: true }), index({ id: 'other' }), index({ alias: true, pointer: '/y' })]
  const { values, errors: found } = indexValues(indexes, { x: 'a\u0000', y: '\u0000' })
  t.deepEqual(found.map(({ path }) => path), ['data.x', 'data.y']) // biome-ignore format: one line
  t.deepEqual(values.map(({ indexId }) => indexId), ['other']) // biome-ignore format: one line
})

test('an index whose build has failed gets no values, and one that is being built does', (t) => {
  const entries = (buildStatus: ListIndex['buildStatus']) => extracted({ buildStatus, alias: true }, 'x').values.length
  t.deepEqual([entries('ready'), entries('building'), entries('failed')], [1, 1, 0])
})

test('values are stored under the current value id of their index', (t) => {
  t.is(extracted({ valuesId: 'values-2' }, 'x').values[0]?.indexId, 'values-2')
})

const textKeys = (text: string) => ({ orderKey: text, filterKey: text })

test('the least element of an array is the entry, and each other one is an element', (t) => {
  t.deepEqual(extracted({}, ['Soup', 'pie', 'SOUP', 5, null, ['x'], { y: 'z' }, 'ant']).values, [
    { ...nothing, ...textKeys('ant'), elements: [textKeys('pie'), textKeys('soup')] },
  ])
  t.deepEqual(extracted({ valueType: 'number' }, [10, 9, '8', 9]).values, [
    { ...nothing, orderKey: numberKey(9), elements: [{ orderKey: numberKey(10), filterKey: null }] },
  ])
  t.deepEqual(extracted({}, ['only', 'Only']).values, [{ ...nothing, ...textKeys('only') }])
  for (const empty of [[], [5], [['x']]]) t.deepEqual(extracted({}, empty).values, [nothing])
})

test('an index has the first hundred different elements of an array', (t) => {
  const texts = Array.from({ length: 150 }, (_, n) => `n${String(n).padStart(3, '0')}`)
  const [value] = extracted({}, ['N000', ...texts]).values
  t.is(value?.elements?.length, 99)
  t.is(value?.elements?.at(-1)?.orderKey, 'n099')
})

test('an array is not an alias', (t) => {
  t.deepEqual(extracted({ alias: true }, ['soup']), { values: [nothing], errors: [] })
})

test('data has the keys of each element', (t) => {
  const shape = { pointer: '/x', valueType: 'string', alias: false } as const
  t.deepEqual(keysAt(shape, { x: ['b', 'a'] }), [textKeys('a'), textKeys('b')])
  t.deepEqual(keysAt(shape, { x: [] }), [{ orderKey: null, filterKey: null }])
})
