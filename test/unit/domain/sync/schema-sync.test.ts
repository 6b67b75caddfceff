import test from 'ava'
import type { Change } from '#shared/domain/sync/change.ts'
import { planSync } from '#shared/domain/sync/schema-sync.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { cautious, syncWorld, textOf } from '../../../support/sync/sync-world.ts'

const errorNames = ({ errors = [] }: Change) => errors.map(({ name }) => name)
const title = { pointer: '/title' }

test('an empty account gets the lists and indexes of the document', (t) => {
  const world = syncWorld()
  const plan = world.plan({ lists: { Recipes: { indexes: { Title: title } }, authors: {} } })
  t.deepEqual(plan.changes, [
    { resourceType: 'list', list: 'Recipes', action: 'create' },
    { resourceType: 'index', list: 'Recipes', index: 'title', action: 'create' },
    { resourceType: 'list', list: 'authors', action: 'create' },
  ])
  const none = { update: 0, adopt: 0, delete: 0, noChange: 0, error: 0, builds: 0, destructive: 0 }
  t.deepEqual(plan.summary, { create: 3, ...none })
  t.is(plan.blockedBy, null)
})

test('a new list and a new index have the defaults and are named like their path names', (t) => {
  const world = syncWorld()
  world.sync({ lists: { Recipes: { indexes: { Title: title } } } }, 5_000)
  t.like(world.list('recipes'), {
    name: 'Recipes',
    pathName: 'Recipes',
    description: '',
    tags: [],
    schema: null,
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
    deactivatedCount: 0,
    configVersion: 1,
    createdAt: 5_000,
    updatedAt: 5_000,
  })
  t.like(world.index('recipes', 'title'), {
    name: 'title',
    pathName: 'title',
    pointer: '/title',
    valueType: 'string',
    alias: false,
    sorting: false,
    filtering: false,
    searching: false,
    guard: false,
    defaultOrderDirection: 'asc',
    activated: true,
    buildStatus: 'ready',
  })
})

test('applying the same document twice is all no-change', (t) => {
  const world = syncWorld()
  const document = {
    scope: 'App',
    lists: {
      Recipes: {
        name: 'R',
        tags: ['B', 'a'],
        schema: { type: 'object', required: ['a'] },
        readonly: true,
        generativePrompt: 'x',
        indexes: { Title: { pointer: '/t', alias: true, tags: ['x'] }, secret: { pointer: '/s', guard: true } },
      },
    },
  }
  world.sync(document)
  const { writes, changes } = world.sync(document)
  t.deepEqual([...new Set(changes.map(({ action }) => action))], ['no-change'])
  const { growth, ...rows } = writes
  t.deepEqual([...new Set(Object.values(rows).flat())], [])
  t.is(growth.added, 0)
})

test('lists and indexes are matched by path name ignoring case', (t) => {
  const world = syncWorld()
  world.sync({ lists: { Recipes: { indexes: { title } } } })
  const { changes } = world.plan({ lists: { RECIPES: { indexes: { TITLE: {} } } } })
  t.deepEqual(
    changes.map(({ list, index, action }) => [list, index, action]),
    [
      ['Recipes', undefined, 'no-change'],
      ['Recipes', 'title', 'no-change'],
    ],
  )
})

test('omitted fields stay unchanged, and so do indexes that are not listed', (t) => {
  const world = syncWorld()
  world.sync({
    lists: { a: { name: 'A', description: 'd', tags: ['x'], indexes: { i: title, j: { pointer: '/j' } } } },
  })
  const { changes } = world.sync({ lists: { a: { name: 'B', indexes: { i: { sorting: true } } } } })
  t.deepEqual(changes[0]?.fields, { name: { from: 'A', to: 'B' } })
  t.deepEqual(changes[1]?.fields, { sorting: { from: false, to: true } })
  t.like(world.list('a'), { name: 'B', description: 'd', tags: ['x'] })
  t.is(world.index('a', 'j').pointer, '/j')
})

test('an equivalent value is not a change', (t) => {
  const world = syncWorld()
  const schema = { type: 'object', properties: { a: { type: 'string' }, b: {} } }
  world.sync({ lists: { a: { tags: ['x', 'y'], schema, indexes: { i: title } } } })
  const again = { type: 'object', properties: { b: {}, a: { type: 'string' } } }
  const entry = {
    name: 'a',
    tags: ['Y', 'x', 'X'],
    schema: again,
    readonly: false,
    indexable: true,
    generativePrompt: null,
  }
  const plan = world.plan({ lists: { a: { ...entry, indexes: { i: { valueType: 'string', alias: false } } } } })
  t.is(plan.summary.noChange, 2)
})

test('a change of schema shows both schemas as JSON; null removes it', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { schema: { type: 'object' } } } })
  const changed = world.plan({ lists: { a: { schema: { type: 'string' } } } })
  t.deepEqual(changed.changes[0]?.fields, { schema: { from: { type: 'object' }, to: { type: 'string' } } })
  world.sync({ lists: { a: { schema: null } } })
  t.is(world.list('a').schema, null)
})

test('schemas that differ in digits that a double cannot hold have different plans, and are shown with all digits', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: {} } })
  world.change('a', { schema: '{"const":9007199254740993}' })
  const plan = (number: string) => {
    const lists = [{ pathName: 'a', fields: { schema: `{"const":${number}}` }, indexes: null }]
    return resultOf(planSync({ scope: null, lists }, world.lists, cautious))
  }
  t.is(plan('9007199254740993.0').summary.noChange, 1)
  const [one, other] = [plan('9007199254740992'), plan('9007199254740994')]
  t.deepEqual([one.summary.update, other.summary.update], [1, 1])
  t.not(textOf(one), textOf(other))
  t.is(
    JSON.stringify(plan('1e400').changes[0]?.fields),
    '{"schema":{"from":{"const":9007199254740993},"to":{"const":1e400}}}',
  )
})

test("the scope goes into scope and, in lower case, into tags, in addition to the list's own", (t) => {
  const world = syncWorld()
  world.sync({ scope: 'MyApp', lists: { a: { tags: ['x'], indexes: { i: title } } } })
  t.like(world.list('a'), { scope: 'MyApp', tags: ['x', 'myapp'] })
  t.like(world.index('a', 'i'), { scope: 'MyApp', tags: ['myapp'] })
})

test('the scope tag cannot be removed and is left out of comparisons', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'app', lists: { a: { tags: ['x'] } } })
  t.is(world.plan({ scope: 'app', lists: { a: { tags: ['x'] } } }).summary.noChange, 1)
  t.is(world.plan({ scope: 'app', lists: { a: { tags: ['APP', 'x'] } } }).summary.noChange, 1)
  world.sync({ scope: 'app', lists: { a: { tags: [] } } })
  t.deepEqual(world.list('a').tags, ['app'])
})

test('an unmanaged list is adopted by a document with a scope, and shows scope and tags', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { tags: ['x'], indexes: { i: title, j: { pointer: '/j' } } } } })
  const { changes, summary } = world.plan({ scope: 'app', lists: { a: { indexes: { i: {} } } } })
  t.is(summary.adopt, 2)
  t.deepEqual(
    changes.map(({ action }) => action),
    ['adopt', 'adopt'],
  )
  t.deepEqual(changes[0]?.fields, { scope: { from: null, to: 'app' }, tags: { from: ['x'], to: ['x', 'app'] } })
  world.sync({ scope: 'app', lists: { a: { indexes: { i: {} } } } })
  t.is(world.index('a', 'j').scope, null, 'an index that is not declared is left alone')
})

test('an index created by hand on a managed list stays unchanged until it is declared', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { hand: title } } } })
  world.sync({ scope: 'app', lists: { a: {} } })
  t.is(world.index('a', 'hand').scope, null)
  const { changes } = world.plan({ scope: 'app', lists: { a: { indexes: { hand: {} } } } })
  t.deepEqual(
    changes.map(({ action }) => action),
    ['no-change', 'adopt'],
  )
})

for (const scope of ['other', 'App', undefined]) {
  test(`a document of scope ${scope} cannot change a list of scope app`, (t) => {
    const world = syncWorld()
    world.sync({ scope: 'app', lists: { a: { indexes: { i: title } } } })
    const plan = world.plan({ ...(scope && { scope }), lists: { a: { indexes: { i: {}, k: title } }, b: {} } })
    t.deepEqual(plan.changes.map(errorNames), [
      ['SCHEMA_SYNC_SCOPE_CONFLICT'],
      ['SCHEMA_SYNC_SCOPE_CONFLICT'],
      ['SCHEMA_SYNC_SCOPE_CONFLICT'],
      [],
    ])
    t.regex(plan.changes[0]?.errors?.[0]?.message ?? '', /the scope app;/)
    t.is(plan.blockedBy?.name, 'SCHEMA_SYNC_SCOPE_CONFLICT')
    t.is(plan.summary.error, 3)
    t.is(plan.summary.create, 1)
  })
}

test('an index of another scope is a conflict of its own, even on a list that may be changed', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'app', lists: { a: { indexes: { i: title } } } })
  world.change('a', { scope: null, tags: [] })
  const { changes } = world.plan({ lists: { a: { name: 'x', indexes: { i: {} } } } })
  t.deepEqual(changes.map(errorNames), [[], ['SCHEMA_SYNC_SCOPE_CONFLICT']])
})

test('conflicts together with other errors are reported as errors', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'app', lists: { a: {} } })
  const plan = world.plan({ lists: { a: {}, b: { indexes: { i: {} } } } })
  t.is(plan.blockedBy?.name, 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
})

test('a readonly list rejects changes that do not set readonly false', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { readonly: true, indexes: { i: title } } } })
  const rejected = world.plan({ lists: { a: { name: 'x', indexes: { i: { sorting: true }, j: { pointer: '/j' } } } } })
  t.deepEqual(rejected.changes.map(errorNames), [['LIST_READONLY'], ['LIST_READONLY'], ['LIST_READONLY']])
  t.deepEqual(world.plan({ lists: { a: { readonly: true, name: 'x' } } }).changes.map(errorNames), [['LIST_READONLY']])
  t.deepEqual(world.plan({ scope: 's', lists: { a: {} } }).changes.map(errorNames), [['LIST_READONLY']])
  const ended = world.plan({ lists: { a: { readonly: false, name: 'x', indexes: { i: { sorting: true } } } } })
  t.is(ended.blockedBy, null)
})

test('a document may make a list readonly and change it at the same time', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: {} } })
  t.is(world.plan({ lists: { a: { readonly: true, name: 'x', indexes: { i: title } } } }).blockedBy, null)
})

test('a list that is not activated is hidden from tokens', (t) => {
  const world = syncWorld()
  world.sync({ lists: { Secret: { indexes: { i: title } } } })
  world.change('secret', { activated: false })
  const { changes } = world.plan({ lists: { secret: { indexes: { i: {} } } } }, { seesDeactivated: false })
  t.deepEqual(changes.map(errorNames), [['LIST_PATH_NAME_TAKEN'], ['LIST_PATH_NAME_TAKEN']])
  t.false(JSON.stringify(changes).includes('Id'), 'no ids are shown')
  t.false(JSON.stringify(changes).includes('Secret'), 'nor how its name is written')
  t.is(world.plan({ lists: { secret: { name: 'x' } } }).blockedBy, null, 'a user may change it')
})

test('the text of a plan is JSON, with one line for each change', (t) => {
  const world = syncWorld()
  world.sync({ scope: 'app', lists: { a: { indexes: { i: title, j: { pointer: '/j' } } }, b: {} } })
  const source = { scope: 'app', lists: { a: { name: 'x', indexes: { i: title } }, c: {} } }
  for (const prune of [true, false]) {
    const plan = world.plan(source, { prune })
    const [scope, lines] = JSON.parse(textOf(plan))
    t.is(scope, 'app')
    t.is(lines.length, plan.changes.length)
    const { listId, indexId } = plan.changes[1] ?? {}
    t.deepEqual(lines[1], ['index', 'a', 'i', listId, indexId, 'no-change', null, null, [false, false]])
  }
  t.deepEqual(JSON.parse(textOf(world.plan({ lists: {} }))), [null, []])
})

test('plans with the same effect have the same text, and any other effect changes it', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: title } } } })
  const text = (source: Parameters<typeof world.plan>[0]) => textOf(world.plan(source))
  const base = text({ lists: { a: { name: 'x' } } })
  world.change('a', { itemCount: 5, description: 'changed by hand', configVersion: 9 })
  t.is(text({ lists: { a: { name: 'x' } } }), base)
  t.not(text({ lists: { a: { name: 'y' } } }), base)
  t.not(text({ lists: { a: { name: 'x' }, b: {} } }), base)
  t.not(text({ lists: { b: { name: 'x' } } }), text({ lists: { b: { name: 'y' } } }))
  t.not(
    text({ lists: { b: { indexes: { i: title } } } }),
    text({ lists: { b: { indexes: { i: { pointer: '/x' } } } } }),
  )
  world.change('a', { name: 'z' })
  t.not(text({ lists: { a: { name: 'x' } } }), base)
})

test('a list named __proto__ is a list like any other', (t) => {
  const world = syncWorld()
  const lists = JSON.parse('{"__proto__":{"name":"x","indexes":{"__proto__":{"pointer":"/a"}}}}')
  world.sync({ lists })
  t.is(world.list('__proto__').name, 'x')
  t.is(world.plan({ lists }).summary.noChange, 2)
})
