import test from 'ava'
import { createIds } from '#shared/crypto/ids.ts'
import { firstIdAt, isId, timeOfId } from '#shared/domain/id.ts'

const idAt = (time: number) => createIds(() => time)()

test('only a lower-case UUID is an id', (t) => {
  t.true(isId(idAt(1)))
  for (const text of ['', 'x', idAt(1).toUpperCase(), `${idAt(1)} `, `${idAt(1)}\n`, firstIdAt(1)]) t.false(isId(text))
})

for (const time of [0, 1, 999, 1_700_000_000_123, 2 ** 48 - 1]) {
  test(`an id contains the millisecond of its creation: ${time}`, (t) => t.is(timeOfId(idAt(time)), time))
}

test('ids of a millisecond and later ones sort after its first, earlier ones before', (t) => {
  const time = 1_700_000_000_000
  const first = firstIdAt(time)
  t.true(idAt(time) > first)
  t.true(idAt(time + 1) > first)
  t.true(idAt(time - 1) < first)
})

test('a time outside the range of ids is its first or last one', (t) => {
  t.is(firstIdAt(-5), '00000000-0000')
  t.is(firstIdAt(8.64e15), 'ffffffff-ffff')
})
