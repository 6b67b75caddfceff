import test from 'ava'
import { backOffMs } from '#shared/time/back-off.ts'

const backOff = { firstMs: 50, longestMs: 2_000, randomPart: 0.5 }

test('the wait doubles from the first to the longest', (t) => {
  const waits = [0, 1, 2, 3, 4, 5, 6, 7, 100, 100_000].map((failures) => backOffMs(backOff, failures, 0))
  t.deepEqual(waits, [50, 100, 200, 400, 800, 1_600, 2_000, 2_000, 2_000, 2_000])
})

test('chance shortens the wait by up to its random part', (t) => {
  t.is(backOffMs(backOff, 100, 1), 1_000)
  t.is(backOffMs(backOff, 0, 0.5), 37.5)
  t.is(backOffMs({ ...backOff, randomPart: 1 }, 0, 1), 0)
  t.is(backOffMs({ ...backOff, randomPart: 0 }, 0), 50)
})
