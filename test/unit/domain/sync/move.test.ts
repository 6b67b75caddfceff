import test from 'ava'
import { type MovePlan, moveChange, moveSummary, planMove } from '#shared/domain/sync/move.ts'
import { syncWrites } from '#shared/domain/sync/writes.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { syncWorld } from '../../../support/sync/sync-world.ts'

const title = { pointer: '/title' }

/** A list of the scope `app` with an index from its document and one created by hand. */
function world() {
  const synced = syncWorld()
  synced.sync({ lists: { a: { tags: ['x'], indexes: { hand: title } }, free: { indexes: { i: title } } } })
  synced.sync({ scope: 'app', lists: { a: { indexes: { own: { pointer: '/own', tags: ['y'] } } } } })
  return synced
}

type World = ReturnType<typeof world>
const planned = (...args: Parameters<typeof planMove>): MovePlan => resultOf(planMove(...args))
const move = (synced: World, scope: string | null, ...keys: string[]) =>
  planned(
    keys.map((key) => synced.current(key)),
    [],
    scope,
  )
const actions = (plan: MovePlan) => plan.changes.map(moveChange).map(({ action }) => action)

test('a list of another scope is moved with the indexes that its scope manages', (t) => {
  const synced = world()
  const plan = move(synced, 'Other', 'a')
  t.deepEqual(plan.changes.map(moveChange), [
    {
      resourceType: 'list',
      list: 'a',
      listId: synced.list('a').id,
      action: 'move',
      fields: { scope: { from: 'app', to: 'Other' }, tags: { from: ['x', 'app'], to: ['x', 'other'] } },
    },
    {
      resourceType: 'index',
      list: 'a',
      listId: synced.list('a').id,
      index: 'own',
      indexId: synced.index('a', 'own').id,
      action: 'move',
      fields: { scope: { from: 'app', to: 'Other' }, tags: { from: ['y', 'app'], to: ['y', 'other'] } },
    },
  ])
  t.is(plan.blockedBy, null)
})

test('planning a move may pause after each list', (t) => {
  const synced = world()
  const steps = planMove([synced.current('a'), synced.current('free')], [], 'other')
  t.deepEqual(
    [steps.next(), steps.next(), steps.next()].map(({ done }) => done),
    [false, false, true],
  )
})

test('an unmanaged list is assigned to the scope, and its indexes created by hand stay unmanaged', (t) => {
  t.deepEqual(actions(move(world(), 'app', 'free')), ['assign'])
})

test('without a scope a list is released with its indexes, and loses the tag', (t) => {
  const plan = move(world(), null, 'a')
  t.deepEqual(actions(plan), ['release', 'release'])
  t.deepEqual(plan.lists[0]?.after.tags, ['x'])
  t.is(plan.lists[0]?.after.scope, null)
})

test('lists that are already in the scope do not change', (t) => {
  const plan = move(world(), 'app', 'a', 'free')
  t.deepEqual(actions(plan), ['no-change', 'no-change', 'assign'])
  t.deepEqual(moveSummary(plan.changes.map(moveChange)), { move: 0, assign: 1, release: 0, noChange: 2, error: 0 })
})

test('a scope that differs only in case is another scope', (t) => {
  const plan = move(world(), 'APP', 'a')
  t.deepEqual(actions(plan), ['move', 'move'])
  t.deepEqual(plan.changes[0]?.fields, { scope: { from: 'app', to: 'APP' } })
})

test('a missing list, and a readonly one, are errors that block the move', (t) => {
  const synced = world()
  synced.change('a', { readonly: true })
  const plan = planned([synced.current('a'), synced.current('free')], ['gone'], 'other')
  t.deepEqual(
    plan.changes.map(({ list, errors }) => [list, errors?.[0]?.name]),
    [
      ['a', 'LIST_READONLY'],
      ['a', 'LIST_READONLY'],
      ['free', undefined],
      ['gone', 'REQUESTED_ENTITY_NOT_FOUND'],
    ],
  )
  t.like(plan.blockedBy, { name: 'SCHEMA_SYNC_MOVE_HAS_ERRORS', code: 21_005 })
  t.is(planned([synced.current('a')], [], 'app').blockedBy, null, 'it is of that scope already')
})

test('a move is written with its version and an event of each list and index', (t) => {
  const synced = world()
  const { writes } = resultOf(
    syncWrites(move(synced, 'other', 'a'), { accountId: 'account', now: 9_000, newId: () => 'id' }),
  )
  t.deepEqual(
    writes.events.map(({ type }) => type),
    ['list-updated', 'index-updated'],
  )
  const { id, configVersion } = synced.list('a')
  t.deepEqual(writes.touchedLists, [{ id, configVersion, mustBeEmpty: false }])
  t.deepEqual(writes.newLists, [])
})
