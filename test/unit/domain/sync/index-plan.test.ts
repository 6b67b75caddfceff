import test from 'ava'
import type { Change } from '#shared/domain/sync/change.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const errorNames = ({ errors = [] }: Change) => errors.map(({ name }) => name)
const title = { pointer: '/title' }

test('a new index needs a pointer', (t) => {
  const world = syncWorld()
  const { changes, blockedBy } = world.plan({ lists: { a: { indexes: { i: { guard: true }, j: { pointer: '' } } } } })
  t.deepEqual(changes.map(errorNames), [[], ['VALIDATION_FAILED'], []])
  t.is(blockedBy?.name, 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
})

test('a guard index cannot be sortable too, in either order', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { g: { pointer: '/g', guard: true }, s: { pointer: '/s', sorting: true } } } } })
  const { changes } = world.plan({ lists: { a: { indexes: { g: { sorting: true }, s: { guard: true } } } } })
  t.deepEqual(changes.map(errorNames), [[], ['VALIDATION_FAILED'], ['VALIDATION_FAILED']])
})

test('an index may not overlap a guard that the document does not mention, and a new guard may not overlap an index', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { g: { pointer: '/g', guard: true }, s: { pointer: '/s/x' } } } } })
  const below = world.plan({ lists: { a: { indexes: { i: { pointer: '/g/x' } } } } })
  t.deepEqual(below.changes.map(errorNames), [[], ['VALIDATION_FAILED']])
  const above = world.plan({ lists: { a: { indexes: { i: { pointer: '/s', guard: true } } } } })
  t.deepEqual(above.changes.map(errorNames), [[], ['VALIDATION_FAILED']])
})

test('only changes break rules, not what stays unchanged', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { g: { pointer: '/g', guard: true } } } } })
  const { changes } = world.plan({ lists: { a: { indexes: { g: {}, i: { pointer: '/g' } } } } })
  t.deepEqual(
    changes.map(({ action }) => action),
    ['no-change', 'no-change', 'error'],
  )
})

test('a list has one alias index, and the alias can move in one document', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { x: { pointer: '/x', alias: true } } } } })
  const second = world.plan({ lists: { a: { indexes: { y: { pointer: '/y', alias: true } } } } })
  t.deepEqual(second.changes.map(errorNames), [[], ['INDEX_ALIAS_EXISTS']])
  const moved = world.plan({ lists: { a: { indexes: { x: { alias: false }, y: { pointer: '/y', alias: true } } } } })
  t.is(moved.blockedBy, null)
})

test('an index with elements of arrays cannot become an alias, unless it gets another pointer', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: title } } } })
  world.change('a', { itemCount: 7 })
  Object.assign(world.index('a', 'i'), { arrays: true })
  const plan = (index: object) => world.plan({ lists: { a: { indexes: { i: index } } } }, { allowRebuild: true })
  const { changes, blockedBy } = plan({ alias: true })
  t.is(blockedBy?.name, 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
  t.like(changes[1], { action: 'error', errors: [{ name: 'VALIDATION_FAILED' }] })
  t.regex(changes[1]?.errors?.[0]?.message ?? '', /on arrays cannot be an alias/)
  t.is(plan({ alias: true, pointer: '/slug' }).blockedBy, null)
  t.is(plan({ filtering: true }).blockedBy, null)
})

const needingBuilds: [what: string, indexes: Record<string, unknown>, reason: string, requiresConfirmation: boolean][] =
  [
    ['a new index', { j: { pointer: '/j' } }, 'created', false],
    ['another pointer', { i: { pointer: '/j' } }, 'pointerChanged', true],
    ['another value type', { i: { valueType: 'number' } }, 'valueTypeChanged', true],
    ['alias turned on', { i: { alias: true } }, 'flagsChanged', false],
    ['searching turned on', { i: { searching: true } }, 'flagsChanged', false],
  ]
for (const [what, indexes, reason, requiresConfirmation] of needingBuilds) {
  test(`on a list with items, ${what} is built; on an empty list it is ready at once`, (t) => {
    const world = syncWorld()
    world.sync({ lists: { a: { indexes: { i: title } } } })
    const empty = world.plan({ lists: { a: { indexes } } })
    t.is(empty.blockedBy, null)
    t.is(empty.summary.builds, 0)
    t.is(empty.changes[1]?.build, undefined)
    world.change('a', { itemCount: 7 })
    const { changes, summary } = world.plan({ lists: { a: { indexes } } }, { allowRebuild: true })
    t.deepEqual(changes[1]?.build, { reason, items: 7, requiresConfirmation } as unknown)
    t.is(summary.builds, 1)
  })

  test(`on a list with items, ${what} ${requiresConfirmation ? 'needs' : 'does not need'} allowRebuild`, (t) => {
    const world = syncWorld()
    world.sync({ lists: { a: { indexes: { i: title } } } })
    world.change('a', { itemCount: 1 })
    const rejection = requiresConfirmation ? 'SCHEMA_SYNC_REBUILD_NOT_ALLOWED' : undefined
    const blockedBy = (allowRebuild: boolean) => world.plan({ lists: { a: { indexes } } }, { allowRebuild }).blockedBy
    t.is(blockedBy(false)?.name, rejection)
    t.is(blockedBy(true), null)
  })
}

test('errors are reported before a rebuild, and a rebuild before destructive changes', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: title, g: { pointer: '/g', guard: true } } } } })
  world.change('a', { itemCount: 1 })
  const changed = { i: { pointer: '/j' }, g: { guard: false } }
  const blockedBy = (indexes: Record<string, unknown>) => world.plan({ lists: { a: { indexes } } }).blockedBy?.name
  t.is(blockedBy({ ...changed, k: {} }), 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
  t.is(blockedBy(changed), 'SCHEMA_SYNC_REBUILD_NOT_ALLOWED')
  t.is(blockedBy({ g: { guard: false } }), 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED')
})

test('a list has at most 50 indexes, including those that the document does not mention', (t) => {
  const world = syncWorld()
  const many = (from: number, to: number) =>
    Object.fromEntries(Array.from({ length: to - from }, (_, n) => [`i${from + n}`, { pointer: `/${from + n}` }]))
  world.sync({ lists: { a: { indexes: many(0, 49) } } })
  t.is(world.plan({ lists: { a: { indexes: many(49, 50) } } }).blockedBy, null)
  const { changes } = world.plan({ lists: { a: { indexes: { ...many(48, 51), i0: { name: 'x' } } } } })
  t.deepEqual(changes.map(errorNames), [[], [], ['MAX_INDEXES_EXCEEDED'], ['MAX_INDEXES_EXCEEDED'], []])
})

test('changes that need no build are applied on a list that holds items', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: { ...title, alias: true, searching: true }, g: { pointer: '/g' } } } } })
  world.change('a', { itemCount: 1 })
  const indexes = {
    i: { name: 'x', sorting: true, filtering: true, alias: false, searching: false },
    g: { guard: true },
  }
  t.is(world.plan({ lists: { a: { schema: {}, indexes } } }).blockedBy, null)
})

test('turning a guard off is destructive, warns, and is rejected; errors are reported first', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { g: { pointer: '/g', guard: true } } } } })
  const plan = world.plan({ lists: { a: { indexes: { g: { guard: false } } } } })
  t.is(plan.summary.destructive, 1)
  t.is(plan.changes[1]?.warnings?.length, 1)
  t.is(plan.blockedBy?.name, 'SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED')
  const both = world.plan({ lists: { a: { indexes: { g: { guard: false }, j: {} } } } })
  t.is(both.blockedBy?.name, 'SCHEMA_SYNC_PLAN_HAS_ERRORS')
})

test('a change that turns on something without effect, and a pointer that finds nothing, have warnings; unchanged ones have none', (t) => {
  const world = syncWorld()
  const document = {
    lists: { a: { generativePrompt: 'More!', indexes: { i: { pointer: '/x/*', searching: true }, j: title } } },
  }
  const warned = world.plan(document).changes.map(({ warnings = [] }) => warnings)
  t.deepEqual(warned, [
    ['generativePrompt has no effect yet.'],
    ['In the pointer "*" is the name of a property: a JSON Pointer has no wildcards.'],
    [],
  ])
  world.sync(document)
  const changed = { lists: { a: { readonly: true, generative: true, indexes: { i: { sorting: true }, j: title } } } }
  t.deepEqual(
    world.plan(changed).changes.map(({ warnings }) => warnings),
    [['generative has no effect yet.'], undefined, undefined],
  )
})
