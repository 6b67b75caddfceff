import test from 'ava'
import { exportDocument, exportList } from '#shared/domain/sync/export.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }

test('a list is exported with every field that a document may state', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'App', lists: { Recipes: { tags: ['b'], schema: { b: 1, a: 2 }, indexes: { Title: title } } } })
  const { member, leftOut } = exportList(world.current('recipes'))
  t.deepEqual(JSON.parse(exportDocument('App', [member])), {
    scope: 'App',
    lists: {
      Recipes: {
        name: 'Recipes',
        description: '',
        tags: ['b'],
        schema: { b: 1, a: 2 },
        readonly: false,
        realtime: false,
        protected: false,
        indexable: true,
        generative: false,
        generativePrompt: null,
        indexes: {
          title: {
            name: 'title',
            description: '',
            tags: [],
            pointer: '/title',
            valueType: 'string',
            alias: false,
            sorting: false,
            filtering: false,
            searching: false,
            guard: false,
            defaultOrderDirection: 'asc',
          },
        },
      },
    },
  })
  t.true(member.includes('{"b":1,"a":2}'), 'the schema as it was sent')
  t.deepEqual(leftOut, [])
})

test('indexes whose scope is not that of their list, or that have none, are left out', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { hand: title } } } })
  world.sync({ scope: 'app', lists: { a: { indexes: { own: { pointer: '/own' } } } } })
  const { member, leftOut } = exportList(world.current('a'))
  const document = JSON.parse(exportDocument('app', [member]))
  t.deepEqual(Object.keys(document.lists.a.indexes), ['own'])
  t.deepEqual(leftOut, ['hand'])
  t.is(world.plan(document, { prune: true }).summary.noChange, 2)
})

test('the same list is exported as the same text, whatever order its indexes were read in', (t) => {
  const world = syncWorld()
  const indexes = { b: { pointer: '/b' }, c: { pointer: '/c' }, a: { pointer: '/a' } }
  world.sync({ lists: { l: { indexes } } })
  const { list, indexes: read } = world.current('l')
  const exported = exportList({ list, indexes: read })
  t.deepEqual(exportList({ list, indexes: read.toReversed() }), exported)
  t.deepEqual(Object.keys(JSON.parse(`{${exported.member}}`).l.indexes), ['a', 'b', 'c'])
})

test('a document without a scope does not mention one', (t) => {
  t.is(exportDocument(null, []), '{"lists":{}}')
})
