import test from 'ava'
import { isoTime } from '#shared/domain/text/iso-time.ts'

const dayMs = 86_400_000

test('a time is ISO 8601 in UTC with milliseconds, independent of the previously written one', (t) => {
  const days = [0, 1, -1, 20_000, 20_001, 20_000, Math.floor(8.64e15 / dayMs) - 1]
  const inDay = [0, 1, 999, 1_000, 59_999, 60_000, 3_599_999, 3_600_000, 45_296_789, dayMs - 1]
  for (const time of days.flatMap((day) => inDay.map((ms) => day * dayMs + ms))) {
    t.is(isoTime(time), new Date(time).toISOString())
  }
})

test('an invalid time is an error every time', (t) => {
  for (const time of [Number.NaN, Number.NaN, Number.POSITIVE_INFINITY, 8.65e15]) {
    t.throws(() => isoTime(time), { instanceOf: RangeError })
  }
  t.is(isoTime(0), '1970-01-01T00:00:00.000Z')
})
