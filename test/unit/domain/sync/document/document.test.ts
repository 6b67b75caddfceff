import test from 'ava'
import { readJson } from '#shared/domain/item/data.ts'
import { readSyncDocument, syncDocumentErrors } from '#shared/domain/sync/document/document.ts'
import { atOnce } from '#shared/time/time-slices.ts'

const paths = (document: unknown) => syncDocumentErrors(document).map(({ path }) => path)
const ofList = (entry: unknown) => paths({ lists: { recipes: entry } })
const ofIndex = (entry: unknown) => ofList({ indexes: { title: entry } })

const full = {
  $schema: 'https://example.com/schema/sync-v1.json',
  scope: 'my-App_1',
  lists: {
    Recipes: {
      name: 'Recipes',
      description: '',
      tags: ['Food', 'food'],
      schema: { type: 'object', required: ['title'] },
      readonly: false,
      realtime: true,
      protected: false,
      indexable: true,
      generative: false,
      generativePrompt: null,
      indexes: {
        Title: {
          name: 'Title',
          description: 'x',
          tags: [],
          pointer: '/a~1b/0/~0',
          valueType: 'string',
          alias: false,
          sorting: true,
          filtering: true,
          searching: true,
          guard: false,
          defaultOrderDirection: 'desc',
        },
      },
    },
    empty: {},
    __proto__list: { schema: null, indexes: {} },
  },
}

test('a document with every property is accepted', (t) => {
  t.deepEqual(paths(full), [])
  t.deepEqual(paths({ lists: {} }), [])
})

test('an unknown property is reported with the one that it probably is', (t) => {
  const messages = syncDocumentErrors({ lists: { a: { shema: {}, zzz: 1, indexes: { b: { poniter: '/b' } } } } })
  t.deepEqual(
    messages.map(({ path, message }) => `${path} ${message}`),
    [
      'lists.a.shema is not allowed; did you mean "schema"?',
      'lists.a.zzz is not allowed',
      'lists.a.indexes.b.poniter is not allowed; did you mean "pointer"?',
    ],
  )
})

const invalid: [title: string, found: string[], expected: string[]][] = [
  ['a document that is an array', paths([]), ['']],
  ['a document that is null', paths(null), ['']],
  ['a document without lists', paths({}), ['lists']],
  ['lists that are not an object', paths({ lists: [] }), ['lists']],
  ['an unknown property of the document', paths({ lists: {}, version: 1 }), ['version']],
  ['a name that every object inherits', paths({ lists: {}, constructor: 1, toString: 2 }), ['constructor', 'toString']],
  ['a $schema that is not a string', paths({ lists: {}, $schema: 1 }), ['$schema']],
  ['a scope that is null', paths({ lists: {}, scope: null }), ['scope']],
  ['a scope with a space', paths({ lists: {}, scope: 'a b' }), ['scope']],
  ['an empty scope', paths({ lists: {}, scope: '' }), ['scope']],
  ['a scope of 51 characters', paths({ lists: {}, scope: 'x'.repeat(51) }), ['scope']],
  ['a list key outside the pattern', paths({ lists: { 'a b': {} } }), ['lists.a b']],
  ['an empty list key', paths({ lists: { '': {} } }), ['lists.']],
  ['a list key of 201 characters', paths({ lists: { ['x'.repeat(201)]: {} } }), [`lists.${'x'.repeat(201)}`]],
  ['list keys equal but for case', paths({ lists: { Recipes: {}, recipes: {} } }), ['lists.recipes']],
  ['a list entry that is null', ofList(null), ['lists.recipes']],
  ['an unknown property of a list', ofList({ pinned: true }), ['lists.recipes.pinned']],
  ['an id in a list', ofList({ id: 'x' }), ['lists.recipes.id']],
  ['an empty name', ofList({ name: '' }), ['lists.recipes.name']],
  ['a name that is null', ofList({ name: null }), ['lists.recipes.name']],
  ['a name of 201 characters', ofList({ name: 'x'.repeat(201) }), ['lists.recipes.name']],
  ['a name with U+0000', ofList({ name: 'a\u0000' }), ['lists.recipes.name']],
  ['a description of 10,001 characters', ofList({ description: 'x'.repeat(10_001) }), ['lists.recipes.description']],
  ['tags that are not an array', ofList({ tags: 'a' }), ['lists.recipes.tags']],
  ['a bad tag', ofList({ tags: ['a', 'b c'] }), ['lists.recipes.tags.1']],
  ['21 tags', ofList({ tags: Array(21).fill('a') }), ['lists.recipes.tags']],
  ['a schema that is a boolean', ofList({ schema: true }), ['lists.recipes.schema']],
  ['a schema that is an array', ofList({ schema: [] }), ['lists.recipes.schema']],
  [
    'flags that are not booleans',
    ofList({ readonly: 1, realtime: 'true', indexable: null }).sort(),
    ['lists.recipes.indexable', 'lists.recipes.readonly', 'lists.recipes.realtime'],
  ],
  ['a prompt that is a number', ofList({ generativePrompt: 1 }), ['lists.recipes.generativePrompt']],
  ['indexes that are null', ofList({ indexes: null }), ['lists.recipes.indexes']],
  ['indexes that are an array', ofList({ indexes: [{}] }), ['lists.recipes.indexes']],
  ['an index key outside the pattern', ofList({ indexes: { 'a.b': {} } }), ['lists.recipes.indexes.a.b']],
  ['index keys equal but for case', ofList({ indexes: { a: {}, A: {} } }), ['lists.recipes.indexes.A']],
  ['an index entry that is not an object', ofIndex('/title'), ['lists.recipes.indexes.title']],
  ['an unknown property of an index', ofIndex({ unique: true }), ['lists.recipes.indexes.title.unique']],
  ['an unknown value type', ofIndex({ valueType: 'text' }), ['lists.recipes.indexes.title.valueType']],
  [
    'an unknown direction',
    ofIndex({ defaultOrderDirection: 'up' }),
    ['lists.recipes.indexes.title.defaultOrderDirection'],
  ],
  ['a pointer without a slash', ofIndex({ pointer: 'title' }), ['lists.recipes.indexes.title.pointer']],
  ['a pointer with a bad escape', ofIndex({ pointer: '/a~2' }), ['lists.recipes.indexes.title.pointer']],
  ['a pointer that ends in its escape', ofIndex({ pointer: '/a~' }), ['lists.recipes.indexes.title.pointer']],
  ['a pointer as a fragment', ofIndex({ pointer: '#/a' }), ['lists.recipes.indexes.title.pointer']],
  [
    'a pointer of 1,025 characters',
    ofIndex({ pointer: `/${'x'.repeat(1024)}` }),
    ['lists.recipes.indexes.title.pointer'],
  ],
  ['a pointer with U+0000', ofIndex({ pointer: '/a\u0000' }), ['lists.recipes.indexes.title.pointer']],
]
for (const [title, found, expected] of invalid) {
  test(`rejected with its path: ${title}`, (t) => t.deepEqual(found, expected))
}

test('every error of a document is listed, at every level', (t) => {
  const document = {
    scope: '!',
    extra: 1,
    lists: {
      'b d': { name: '', indexes: { 'x y': { valueType: 'x', guard: 'no' } } },
      recipes: { tags: ['!'], indexes: { title: { valueType: 'x' }, TITLE: 7 } },
    },
  }
  t.deepEqual(paths(document), [
    'scope',
    'extra',
    'lists.b d',
    'lists.b d.name',
    'lists.b d.indexes.x y',
    'lists.b d.indexes.x y.valueType',
    'lists.b d.indexes.x y.guard',
    'lists.recipes.tags.0',
    'lists.recipes.indexes.title.valueType',
    'lists.recipes.indexes.TITLE',
    'lists.recipes.indexes.TITLE',
  ])
})

test('lengths are counted in characters, not in UTF-16 units', (t) => {
  t.deepEqual(ofList({ name: '😀'.repeat(200) }), [])
  t.deepEqual(ofList({ name: '😀'.repeat(201) }), ['lists.recipes.name'])
})

test('a document declares at most 2,000 lists with at most 50 indexes each', (t) => {
  const many = <T>(count: number, entry: T) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`e${n}`, entry]))
  t.deepEqual(syncDocumentErrors({ lists: many(2_000, { indexes: many(50, {}) }) }), [])
  t.deepEqual(syncDocumentErrors({ lists: many(2_001, {}) }), [
    { path: 'lists', message: 'must have at most 2000 entries' },
  ])
  t.deepEqual(syncDocumentErrors({ lists: { a: { indexes: many(51, {}) } } }), [
    { path: 'lists.a.indexes', message: 'must have at most 50 entries' },
  ])
})

test('for a document full of errors the first 1,000 are listed', (t) => {
  const full = (value: unknown) => Object.fromEntries(Array.from({ length: 400_000 }, (_, n) => [`p${n}`, value]))
  const documents = [full(1), { lists: { a: full(1) } }, { lists: { a: { tags: Array(400_000).fill('!') } } }]
  for (const document of documents) t.is(syncDocumentErrors(document).length, 1_000)
})

test('a long key is not repeated in the path of every error below it', (t) => {
  const lists = { ['x'.repeat(1_000_000)]: Object.fromEntries(Array.from({ length: 2_000 }, (_, n) => [`p${n}`, 1])) }
  const errors = syncDocumentErrors({ lists, ['y'.repeat(1_000_000)]: 1 })
  t.is(errors.length, 1_000)
  t.true(JSON.stringify(errors).length < 1_000_000)
})

test('__proto__ as a path name is a path name like any other', (t) => {
  const text = '{"lists":{"__proto__":{"name":"x","indexes":{"__proto__":{"pointer":"/a"}}}}}'
  const { value } = atOnce(readJson(Buffer.from(text)))
  t.deepEqual(paths(value), [])
  const [list] = readSyncDocument(value, new Map()).lists
  t.is(list?.pathName, '__proto__')
  t.deepEqual(list?.fields, { name: 'x' })
  t.deepEqual(list?.indexes, [{ pathName: '__proto__', fields: { pointer: '/a' } }])
})

test('__proto__ as a property is as unknown as any other', (t) => {
  const { value } = atOnce(readJson(Buffer.from('{"lists":{"a":{"__proto__":{"name":"x"}}}}')))
  t.deepEqual(paths(value), ['lists.a.__proto__'])
})

test('tags are folded, index path names are lower-case, list path names stay as they are', (t) => {
  const schema = '{"type": "object"}'
  const { scope, lists } = readSyncDocument(full, new Map([['Recipes', schema]]))
  t.is(scope, 'my-App_1')
  t.is(lists[0]?.pathName, 'Recipes')
  t.deepEqual(lists[0]?.fields.tags, ['food'])
  t.is(lists[0]?.fields.schema, schema)
  t.is(lists[0]?.indexes?.[0]?.pathName, 'title')
})

test('fields that an entry omits are not set', (t) => {
  const { scope, lists } = readSyncDocument(full, new Map())
  t.is(scope, 'my-App_1')
  t.deepEqual(lists[1], { pathName: 'empty', fields: {}, indexes: null })
  t.deepEqual(lists[2]?.fields, { schema: null })
  t.is(readSyncDocument({ lists: {} }, new Map()).scope, null)
})
