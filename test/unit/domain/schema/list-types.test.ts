import { readFileSync, writeFileSync } from 'node:fs'
import test from 'ava'
import { createClient } from '#client/src/client.ts'
import { gte } from '#client/src/filters.ts'
import { listTypes } from '#shared/domain/schema/list-types.ts'
import type { Lists } from '../../../fixtures/listd-types.ts'

const fixture = new URL('../../../fixtures/listd-types.ts', import.meta.url)

const recipes = {
  description: 'What we cook.',
  schema: {
    type: 'object',
    required: ['slug', 'title'],
    additionalProperties: false,
    properties: {
      slug: { type: 'string', pattern: '^[a-z-]+$' },
      title: { type: 'string', description: 'Shown above the recipe.' },
      serves: { type: ['integer', 'null'] },
      course: { enum: ['starter', 'main', 'dessert'] },
      steps: { type: 'array', items: { $ref: '#/definitions/step' } },
      labels: { type: 'array', items: { type: 'string' } },
      scores: { type: ['array', 'null'], items: { type: 'number' } },
    },
    definitions: {
      step: {
        type: 'object',
        required: ['text'],
        properties: { text: { type: 'string' }, next: { $ref: '#/definitions/step' } },
      },
    },
  },
  indexes: {
    title: { pointer: '/title', sorting: true, filtering: true },
    slug: { pointer: '/slug', alias: true, filtering: true },
    serves: { pointer: '/serves', valueType: 'number', filtering: true, sorting: true },
    secret: { pointer: '/course', guard: true },
    labels: { pointer: '/labels', filtering: true },
    scores: { pointer: '/scores', valueType: 'number', filtering: true, sorting: true },
    unused: { pointer: '/labels' },
  },
}
const document = {
  lists: {
    recipes,
    '2024-menus': { schema: null },
    lists: { indexes: { Code: { pointer: '/code', valueType: 'number', alias: true } } },
    Recipes2: { schema: { type: 'string' } },
    're-cipes': {},
  },
}

test('the types of lists are those of the fixture, in whatever order the lists come', (t) => {
  const text = listTypes(document)
  if (process.env.TEST_UPDATE_FIXTURES) writeFileSync(fixture, text)
  t.is(text, readFileSync(fixture, 'utf8'))
  const reversed = Object.fromEntries(Object.entries(document.lists).toReversed())
  const indexes = Object.fromEntries(Object.entries(recipes.indexes).toReversed())
  t.is(listTypes({ lists: { ...reversed, recipes: { ...recipes, indexes } } }), text)
})

test('a client compiles with them: the compiler knows data, filters and orders', async (t) => {
  const sent: string[] = []
  const answer = (url: unknown) => {
    sent.push(String(url))
    return Promise.resolve(new Response('{"limit":1,"next":null,"data":[]}'))
  }
  const client = createClient<Lists>({ url: 'http://lists.example.com', fetch: answer })
  const list = client.list('recipes')
  await list.items({ where: { serves: gte(2), slug: 'soup', alias: 'soup' }, order: 'title' }).after()
  await list.items({ where: { labels: ['quick', 'hot'], scores: [gte(2), null], or: [{ labels: 'new' }] } }).after()
  // @ts-expect-error: an element is a number
  await list.items({ where: { scores: 'two' } }).after()
  // @ts-expect-error: there is no such index to order by
  await list.items({ order: 'slug' }).after()
  // @ts-expect-error: there is no such index to filter by
  await list.items({ where: { secret: 'x' } }).after()
  // An alias index without filtering is queried as `alias`, not under its own name.
  const coded = client.list('lists')
  await coded.items({ where: { alias: '5' } }).after()
  // @ts-expect-error: the index is not a filter
  await coded.items({ where: { code: '5' } }).after()
  const uncoded = client.list('re-cipes')
  // @ts-expect-error: no item has an alias
  await uncoded.items({ where: { alias: '5' } }).after()
  const soup: Lists['recipes']['data'] = {
    slug: 'soup',
    title: 'Soup',
    steps: [{ text: 'Boil.', next: { text: 'Eat.' } }],
  }
  // @ts-expect-error: not one of the enum
  const wrong: typeof soup = { slug: 'soup', title: 'Soup', course: 'breakfast' }
  t.is(soup.slug, wrong.slug)
  t.is(sent.length, 8)
})

test('an account without lists has types, too', (t) => {
  t.regex(listTypes({ lists: {} }), /^export type Lists = \{\n\}\n$/m)
})
