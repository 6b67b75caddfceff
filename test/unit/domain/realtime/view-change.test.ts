import test from 'ava'
import { asksForItems, comparesStates, movesView } from '#shared/domain/realtime/view-change.ts'

const list = { activated: true, realtime: true, description: '' }
const index = { activated: true, guard: false, pointer: '/a', valueType: 'string', name: '' }
type Index = typeof index

const user = { isToken: false, byConditions: false }
const token = { isToken: true, byConditions: false }
const ruled = { isToken: true, byConditions: true }

/** For a user, a token, and a token with conditions: whether a change of the list from one state to the other changes what it sees. */
function moved(type: string, before: object | undefined, after: object) {
  const change = { type, before: before && JSON.stringify(before), after: JSON.stringify(after) }
  return [user, token, ruled].map((seer) => movesView(change, seer))
}

test('activating or deactivating a list changes what tokens see', (t) => {
  t.deepEqual(moved('list-updated', list, { ...list, activated: false }), [false, true, true])
  t.deepEqual(moved('list-updated', { ...list, activated: false }, list), [false, true, true])
  t.deepEqual(moved('list-updated', list, { ...list, description: 'new' }), [false, false, false])
})

test('a client that returns to a list that was not realtime has missed what happened in it', (t) => {
  t.deepEqual(moved('list-updated', { ...list, realtime: false }, list), [true, true, true])
  t.deepEqual(moved('list-updated', list, { ...list, realtime: false }), [false, false, false])
})

test('a list whose previous state is unknown may have changed what tokens see', (t) => {
  t.deepEqual(moved('list-updated', undefined, list), [true, true, true])
})

test('creating and deleting lists has its own events', (t) => {
  t.deepEqual(moved('list-created', undefined, list), [false, false, false])
  t.deepEqual(moved('list-deleted', undefined, list), [false, false, false])
})

test('adding, removing or moving a guard changes what tokens see', (t) => {
  const guarded = { ...index, guard: true }
  for (const type of ['index-created', 'index-deleted'])
    t.deepEqual(moved(type, undefined, guarded), [false, true, true])
  t.deepEqual(moved('index-updated', index, guarded), [false, true, true])
  t.deepEqual(moved('index-updated', guarded, { ...guarded, pointer: '/b' }), [false, true, true])
  t.deepEqual(moved('index-updated', guarded, { ...guarded, name: 'new' }), [false, false, false])
})

test('an index that is not a guard changes what callers see whose rules have conditions', (t) => {
  for (const type of ['index-created', 'index-deleted'])
    t.deepEqual(moved(type, undefined, index), [false, false, true])
  const others: Partial<Index>[] = [{ pointer: '/b' }, { valueType: 'number' }, { activated: false }]
  for (const change of others) {
    t.deepEqual(moved('index-updated', index, { ...index, ...change }), [false, false, true])
  }
  t.deepEqual(moved('index-updated', index, { ...index, name: 'new' }), [false, false, false])
  t.deepEqual(moved('index-updated', undefined, index), [false, true, true])
})

test('the previous state is compared if a change has one', (t) => {
  const types = ['list-created', 'list-updated', 'list-deleted', 'index-created', 'index-updated', 'index-deleted']
  t.deepEqual(types.filter(comparesStates), ['list-updated', 'index-updated'])
})

test('a view consists of items: a subscription to changes of lists only has none', (t) => {
  t.true(asksForItems({ types: new Set(['list-updated', 'item-deleted']) }))
  t.false(asksForItems({ types: new Set(['list-updated']) }))
})
