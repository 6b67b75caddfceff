import test from 'ava'
import { createIds, newId, newIdAt } from '#shared/crypto/ids.ts'
import { timeOfId } from '#shared/domain/id.ts'

const form = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('an id is lower-case UUID text of version 7 that begins with the time', (t) => {
  const next = createIds(() => 0x0123456789ab)
  const id = next()
  t.regex(id, form)
  t.true(id.startsWith('01234567-89ab-7'))
  t.regex(newId(), form)
})

test('ids of one process rise strictly, also within a millisecond', (t) => {
  const next = createIds(() => 1_700_000_000_000)
  const ids = Array.from({ length: 20_000 }, next)
  t.deepEqual(ids.toSorted(), ids)
  t.is(new Set(ids).size, ids.length)
})

test('ids keep rising while the clock is set back', (t) => {
  let now = 1_700_000_000_000
  const next = createIds(() => now)
  const before = next()
  now -= 3_600_000
  const during = next()
  now += 3_600_001
  const after = next()
  t.true(before < during)
  t.true(during < after)
})

test('ids of several processes within one millisecond differ', (t) => {
  const processes = Array.from({ length: 2_000 }, () => createIds(() => 1_700_000_000_000))
  t.is(new Set(processes.map((next) => next())).size, processes.length)
})

test('an id can be created for an earlier time, and ids still rise', (t) => {
  const time = Date.now() + 60_000
  const ids = [newId(), newIdAt(time), newIdAt(time), newIdAt(time - 5), newId()]
  t.deepEqual(ids.toSorted(), ids)
  t.is(timeOfId(newIdAt(time + 1)), time + 1)
})
