import test from 'ava'
import { checkPartsIndex } from '#services/supervisor/doctor/database/text-parts.ts'

const found = { state: 'absent', missing: [], longLists: 0 } as const

test('an index of parts of texts is recommended if lists are long and the server supports it', (t) => {
  t.deepEqual(checkPartsIndex(found), { state: 'ok', message: 'there is no index of them' })
  t.is(checkPartsIndex({ ...found, longLists: 2, missing: ['pg_trgm'] }).state, 'ok')
  const { state, message, fix } = checkPartsIndex({ ...found, longLists: 2 })
  t.is(state, 'note')
  t.regex(message, /^2 lists have over 100,000 items/)
  t.regex(fix ?? '', /"listd db parts-index"/)
  t.regex(checkPartsIndex({ ...found, longLists: 1 }).message, /^1 list has over/)
  for (const state of ['ready', 'building'] as const)
    t.is(checkPartsIndex({ ...found, state, longLists: 2 }).state, 'ok')
})

test('the remains of an unfinished build are reported, with both ways to end it', (t) => {
  const { state, fix } = checkPartsIndex({ ...found, state: 'unfinished', longLists: 1 })
  t.is(state, 'note')
  t.regex(fix ?? '', /"listd db parts-index" .* "listd db parts-index --drop"/)
})
