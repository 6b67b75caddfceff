import test from 'ava'
import { createLanes } from '#services/webhook-dispatcher/lanes.ts'

test('each lane has half of the slots, and at least one', (t) => {
  const free = (concurrency: number) => {
    const lanes = createLanes(concurrency)
    return [lanes.free('fast'), lanes.free('slow')]
  }
  t.deepEqual(
    [free(9), free(8), free(1)],
    [
      [5, 4],
      [4, 4],
      [1, 1],
    ],
  )
})

test('a long attempt moves to the slow lane if that has a slot, and releases that slot when it ends', (t) => {
  const lanes = createLanes(2)
  const slot = lanes.acquire('fast')
  t.is(lanes.free('fast'), 0)
  t.true(slot.demote())
  t.deepEqual([lanes.free('fast'), lanes.free('slow')], [1, 0])
  t.false(slot.demote())
  t.false(lanes.acquire('fast').demote())
  slot.release()
  t.deepEqual([lanes.free('fast'), lanes.free('slow')], [0, 1])
})

test('a lane whose claimed slot is also used by a demotion has no free slots, and never a negative number', (t) => {
  const lanes = createLanes(2)
  const demoted = lanes.acquire('fast')
  demoted.demote()
  const claimed = lanes.acquire('slow')
  t.is(lanes.free('slow'), 0)
  claimed.release()
  t.is(lanes.free('slow'), 0)
  demoted.release()
  t.is(lanes.free('slow'), 1)
})
