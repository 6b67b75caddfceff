import test from 'ava'
import { serializeList } from '#shared/domain/list/fields.ts'
import { serializeListIndex } from '#shared/domain/list/index-fields.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const world = syncWorld()
world.sync({ lists: { a: { schema: { type: 'object' }, indexes: { i: { pointer: '/i' } } }, b: {} } }, 1_000)

test('a list shows the fields of the contract, its times as ISO 8601, and nothing else', (t) => {
  t.deepEqual(JSON.parse(serializeList(world.list('a'))), {
    id: world.list('a').id,
    createdAt: '1970-01-01T00:00:01.000Z',
    updatedAt: '1970-01-01T00:00:01.000Z',
    name: 'a',
    description: '',
    tags: [],
    pathName: 'a',
    schema: { type: 'object' },
    scope: null,
    pinned: false,
    readonly: false,
    realtime: false,
    protected: false,
    indexable: true,
    generative: false,
    generativePrompt: null,
    activated: true,
    itemCount: 0,
  })
})

test("a list's schema keeps the text that was sent", (t) => {
  const schema = '{"2":1.0,"1":12345678901234567890}'
  t.true(serializeList({ ...world.list('a'), schema }).includes(`"schema":${schema}`))
  t.true(serializeList(world.list('b')).includes('"schema":null'))
})

test('an index shows the fields of the contract and nothing else', (t) => {
  t.deepEqual(Object.keys(JSON.parse(serializeListIndex(world.index('a', 'i')))).sort(), [
    'activated',
    'alias',
    'buildStatus',
    'createdAt',
    'defaultOrderDirection',
    'description',
    'filtering',
    'guard',
    'id',
    'name',
    'pathName',
    'pointer',
    'scope',
    'searching',
    'sorting',
    'tags',
    'updatedAt',
    'valueType',
  ])
})
