import test from 'ava'
import { createTimeSlices } from '#services/gateway/time-slices.ts'

test('work that pauses between its steps lets the event loop go on, however many steps it has', async (t) => {
  const pause = createTimeSlices()
  let served = false
  setImmediate(() => {
    served = true
  })
  while (!served) await pause()
  t.true(served)
})
