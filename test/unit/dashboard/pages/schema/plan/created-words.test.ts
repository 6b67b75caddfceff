import test from 'ava'
import { createdWords } from '#services/dashboard/pages/schema/plan/created-words.ts'

const document = {
  lists: {
    recipes: {
      schema: { properties: { title: {}, serves: {} } },
      pinned: false,
      protected: true,
      indexes: { Slug: { pointer: '/slug', alias: true }, serves: { pointer: '/serves', valueType: 'number' } },
    },
    plain: {},
    one: { schema: { properties: { a: {} } } },
    open: { schema: {} },
  },
}

test('a list is created with its schema and its enabled settings', (t) => {
  t.is(createdWords(document, { list: 'recipes' }), 'schema with 2 properties, protected')
  t.is(createdWords(document, { list: 'one' }), 'schema with 1 property')
  t.is(createdWords(document, { list: 'open' }), 'schema')
  t.is(createdWords(document, { list: 'plain' }), 'no schema')
})

test('an index is created with its pointer, its type and its enabled settings', (t) => {
  t.is(createdWords(document, { list: 'recipes', index: 'slug' }), '/slug, alias')
  t.is(createdWords(document, { list: 'recipes', index: 'serves' }), '/serves, number')
})

test('settings that the document omits have no words', (t) => {
  t.is(createdWords(document, { list: 'recipes', index: 'constructor' }), '')
  t.is(createdWords(null, { list: 'toString' }), 'no schema')
})
