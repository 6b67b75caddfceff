import test from 'ava'
import { createBackOff } from '#services/supervisor/processes/back-off.ts'

test('the wait doubles from 0.1 s to 10 s', (t) => {
  const backOff = createBackOff()
  const waits = Array.from({ length: 9 }, () => backOff.next(0))
  t.deepEqual(waits, [100, 200, 400, 800, 1600, 3200, 6400, 10_000, 10_000])
})

test('a healthy minute resets the wait', (t) => {
  const backOff = createBackOff()
  for (let n = 0; n < 5; n++) backOff.next(59_999)
  t.is(backOff.next(60_000), 100)
  t.is(backOff.next(0), 200)
})
