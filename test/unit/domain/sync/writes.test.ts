import test from 'ava'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }

test('every list and index that is created or changed has an event with its new state', (t) => {
  const world = syncWorld()
  const { writes } = world.sync({ lists: { a: { schema: { b: 1, a: 2 }, indexes: { i: title } }, b: {} } }, 7_000)
  t.deepEqual(
    writes.events.map(({ stream, type, modelId, listId, createdAt }) => [stream, type, modelId, listId, createdAt]),
    [
      ['list', 'list-created', world.list('a').id, world.list('a').id, 7_000],
      ['list', 'list-created', world.list('b').id, world.list('b').id, 7_000],
      ['index', 'index-created', world.index('a', 'i').id, world.list('a').id, 7_000],
    ],
  )
  const snapshot = JSON.parse(writes.events[0]?.snapshot ?? '')
  t.like(snapshot, { pathName: 'a', createdAt: '1970-01-01T00:00:07.000Z', schema: { b: 1, a: 2 } })
  t.false('accountId' in snapshot)
  t.false('configVersion' in snapshot)
  const next = world.sync({ scope: 's', lists: { a: { indexes: { i: { sorting: true } } }, b: {} } })
  t.deepEqual(
    next.writes.events.map(({ type }) => type),
    ['list-updated', 'list-updated', 'index-updated'],
  )
})

test('the changes of an applied plan have the ids of the created lists and indexes', (t) => {
  const world = syncWorld()
  const { changes } = world.sync({ lists: { a: { indexes: { i: title } } } })
  t.is(changes[0]?.listId, world.list('a').id)
  t.like(changes[1], { listId: world.list('a').id, indexId: world.index('a', 'i').id })
})

test('a list is touched, and its version increases, even when only its indexes change', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: title } }, b: {} } }, 1_000)
  const { writes } = world.sync({ lists: { a: { indexes: { i: { name: 'x' } } }, b: {} } }, 2_000)
  t.deepEqual(writes.touchedLists, [{ id: world.list('a').id, configVersion: 1, mustBeEmpty: false }])
  t.deepEqual(writes.changedLists, [])
  t.is(world.list('a').updatedAt, 1_000)
  t.is(world.index('a', 'i').updatedAt, 2_000)
})

test('a plan for indexes that would need a build requires the list to be still empty', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: title } } } })
  const mustBeEmpty = (indexes: Record<string, unknown>) =>
    world.sync({ lists: { a: { indexes } } }).writes.touchedLists.map((list) => list.mustBeEmpty)
  t.deepEqual(mustBeEmpty({ j: { pointer: '/j' } }), [true])
  t.deepEqual(mustBeEmpty({ j: { searching: true } }), [true])
  t.deepEqual(mustBeEmpty({ j: { searching: false } }), [false])
})

test('with stored items an index is built under new values; without items it is ready at once', (t) => {
  const world = syncWorld()
  world.sync({ lists: { a: { indexes: { i: title } } } })
  const { id } = world.index('a', 'i')
  t.like(world.index('a', 'i'), { buildStatus: 'ready', valuesId: id })
  world.change('a', { itemCount: 3 })
  const { writes, changes } = world.sync({ lists: { a: { indexes: { i: { searching: true }, j: title } } } })
  t.is(writes.touchedLists[0]?.mustBeEmpty, false)
  t.like(world.index('a', 'i'), { id, buildStatus: 'building' })
  t.not(world.index('a', 'i').valuesId, id)
  t.like(world.index('a', 'j'), { valuesId: world.index('a', 'j').id, buildStatus: 'building' })
  t.deepEqual(
    writes.builds.map(({ before, items }) => [before?.valuesId, items]),
    [
      [id, 3],
      [undefined, 3],
    ],
  )
  t.deepEqual(
    changes.map(({ build }) => build?.buildStatus),
    [undefined, 'building', 'building'],
  )
})
