import test from 'ava'
import { buildReason, isReadyAtOnce, rebuilt, withBuild } from '#shared/domain/list/index-build.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'

const before = { pointer: '/a', valueType: 'string', alias: false, searching: false } as const

test('a new index needs a build', (t) => t.is(buildReason(null, before), 'created'))
test('another pointer needs a build', (t) => t.is(buildReason(before, { ...before, pointer: '/b' }), 'pointerChanged'))
test('another value type needs a build', (t) => {
  t.is(buildReason(before, { ...before, valueType: 'date' }), 'valueTypeChanged')
})
test('turning on alias or searching needs a build, turning them off does not', (t) => {
  for (const flag of ['alias', 'searching'] as const) {
    t.is(buildReason(before, { ...before, [flag]: true }), 'flagsChanged')
    t.is(buildReason({ ...before, [flag]: true }, before), null)
  }
})
test('nothing else needs a build', (t) => t.is(buildReason(before, { ...before }), null))

const created = newIndex({ pathName: 'a', pointer: '/a' }, { id: 'index', accountId: 'account', listId: 'list', at: 1 })
const on = (items: number) => ({ items, newId: () => 'values' })

test('with items, a new index is built under its own id, and any other build has a new id for the values', (t) => {
  t.like(withBuild(null, created, on(1)), { buildStatus: 'building', valuesId: 'index' })
  t.like(withBuild(created, { ...created, pointer: '/b' }, on(1)), { buildStatus: 'building', valuesId: 'values' })
  t.like(rebuilt({ ...created, buildStatus: 'failed' }, on(1)), { buildStatus: 'building', valuesId: 'values' })
})

test('without items, an index is ready at once, with no earlier values', (t) => {
  const changes = [withBuild(null, created, on(0)), withBuild(created, { ...created, pointer: '/b' }, on(0))]
  t.deepEqual(
    changes.map(({ buildStatus, valuesId }) => [buildStatus, valuesId]),
    [
      ['ready', 'index'],
      ['ready', 'values'],
    ],
  )
  t.true(changes.every((after, n) => isReadyAtOnce({ before: n === 0 ? null : created, after })))
})

test('a change that needs no build leaves a build unchanged', (t) => {
  const before = { ...created, buildStatus: 'building' as const }
  const after = { ...before, name: 'x' }
  t.deepEqual(withBuild(before, after, on(1)), after)
  t.false(isReadyAtOnce({ before: created, after: { ...created, name: 'x' } }))
  t.false(isReadyAtOnce({ before: created, after: null }))
})
