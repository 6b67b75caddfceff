import test from 'ava'
import { createSlidingMinutes } from '#shared/admission/sliding-minutes.ts'

function setUp() {
  const clock = { at: 5_400 }
  return { clock, minutes: createSlidingMinutes({ now: () => clock.at, maxKeys: 2 }) }
}

test('each count lasts one minute, to the second, separately for each key', (t) => {
  const { clock, minutes } = setUp()
  minutes.add('a', 2)
  minutes.add('b', 1)
  clock.at += 59_000
  minutes.add('a', 1)
  t.deepEqual([minutes.count('a'), minutes.count('b'), minutes.count('c')], [3, 1, 0])
  clock.at += 1_600
  t.is(minutes.count('a'), 1, 'the first two are more than a minute ago')
  clock.at += 3_600_000
  t.is(minutes.count('a'), 0)
})

test('the wait is at most 60 s, and in the 61st second the counts of the first are free', (t) => {
  for (const spreadMs of [0, 1, 450, 599]) {
    const { clock, minutes } = setUp()
    minutes.add('a', 4)
    clock.at += spreadMs
    minutes.add('a', 1)
    t.is(minutes.waitMs('a', 5), 60_000)
    clock.at += 59_999
    t.is(minutes.count('a'), 5)
    clock.at += 1
    t.is(minutes.count('a'), 0)
  }
})

test('it reports when the count will be lower, and then it is lower', (t) => {
  const { clock, minutes } = setUp()
  minutes.add('a', 2)
  clock.at += 10_000
  minutes.add('a', 2)
  t.is(minutes.waitMs('a', 5), 0)
  for (const fewerThan of [4, 3, 2, 1]) {
    const waitMs = minutes.waitMs('a', fewerThan)
    const later = createLater(clock.at + waitMs)
    t.true(waitMs > 0)
    t.true(later < fewerThan, `${later} of ${fewerThan}`)
  }
  t.true(minutes.waitMs('a', 3) <= 51_000 && minutes.waitMs('a', 1) > 51_000)

  function createLater(at: number): number {
    const [before, count] = [clock.at, 0]
    const replay = createSlidingMinutes({ now: () => clock.at, maxKeys: 1 })
    for (const [when, n] of [
      [5_400, 2],
      [15_400, 2],
    ] as const) {
      clock.at = when
      replay.add('a', n)
    }
    clock.at = at
    const left = replay.count('a')
    clock.at = before
    return left + count
  }
})

test('no minute has more than the limit', (t) => {
  const { clock, minutes } = setUp()
  const admitted: number[] = []
  for (let n = 0; n < 3_000; n++) {
    clock.at += 137
    if (minutes.waitMs('a', 10) > 0) continue
    minutes.add('a', 1)
    admitted.push(clock.at)
  }
  t.true(admitted.length > 60)
  for (const [n, at] of admitted.entries()) {
    const tenth = admitted[n + 10]
    if (tenth !== undefined) t.true(tenth - at >= 60_000)
  }
})
