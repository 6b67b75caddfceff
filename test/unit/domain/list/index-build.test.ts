import test from 'ava'
import { buildReason } from '#shared/domain/list/index-build.ts'

const before = { pointer: '/a', valueType: 'string', alias: false, searching: false } as const

test('a new index is built', (t) => t.is(buildReason(null, before), 'created'))
test('another pointer is built', (t) => t.is(buildReason(before, { ...before, pointer: '/b' }), 'pointerChanged'))
test('another value type is built', (t) => {
  t.is(buildReason(before, { ...before, valueType: 'date' }), 'valueTypeChanged')
})
test('turning on alias or searching is built, turning them off is not', (t) => {
  for (const flag of ['alias', 'searching'] as const) {
    t.is(buildReason(before, { ...before, [flag]: true }), 'flagsChanged')
    t.is(buildReason({ ...before, [flag]: true }, before), null)
  }
})
test('nothing else is built', (t) => t.is(buildReason(before, { ...before }), null))
