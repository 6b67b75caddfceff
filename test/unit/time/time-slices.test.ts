import test from 'ava'
import { createTimeSlices, inTimeSlices, mapInTimeSlices, untilLoopIsFree } from '#shared/time/time-slices.ts'

test('work that pauses between its steps lets the event loop go on, however many steps it has', async (t) => {
  const pause = createTimeSlices()
  let served = false
  setImmediate(() => {
    served = true
  })
  while (!served) await pause()
  t.true(served)
})

test('work in steps lets the event loop go on between them, and comes to its result', async (t) => {
  let served = false
  setImmediate(() => {
    served = true
  })
  function* steps() {
    while (!served) yield
    return 'done'
  }
  t.is(await inTimeSlices(steps()), 'done')
  t.deepEqual(await mapInTimeSlices([1, 2], (n) => n * 2), [2, 4])
})

test('of long steps that are ready at once each has an iteration of the event loop of its own', async (t) => {
  let iteration = 0
  let isOver = false
  const count = () => {
    iteration++
    if (!isOver) setImmediate(count)
  }
  setImmediate(count)
  const step = async () => {
    await untilLoopIsFree()
    return iteration
  }
  const took = await Promise.all([step(), step(), step()])
  const later = await step()
  isOver = true
  t.is(new Set([...took, later]).size, 4)
})
