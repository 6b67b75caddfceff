import test from 'ava'
import { backOffMs } from '#shared/bus/back-off.ts'

test('the wait doubles from 50 ms and is never longer than 2 s', (t) => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 7, 100, 100_000].map((failures) => backOffMs(failures, 0))
  t.deepEqual(waits, [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000])
})

test('chance shortens the wait by up to half', (t) => {
  t.is(backOffMs(100, 1), 1_000)
  t.is(backOffMs(0, 0.5), 37.5)
})
