import test from 'ava'
import { checkClock, databaseAheadMs, watchClock } from '#shared/ops/clock.ts'
import { testLog } from '../../support/test-context/test-log.ts'

test("a clock that differs from the database's by more than a minute is degraded, and named", (t) => {
  t.is(checkClock(59_999), 'ok')
  t.is(checkClock(-59_999), 'ok')
  t.deepEqual(checkClock(72_300), { degraded: '72 s behind the clock of the database' })
  t.deepEqual(checkClock(-60_000), { degraded: '60 s ahead of the clock of the database' })
})

test('the duration of the query does not make a clock wrong', async (t) => {
  t.is(await databaseAheadMs({ now: async () => Date.now() }), 0)
  const ahead = await databaseAheadMs({ now: async () => Date.now() + 20_000 })
  t.true(ahead > 10_000 && ahead <= 20_000, String(ahead))
  const behind = await databaseAheadMs({ now: async () => Date.now() - 20_000 })
  t.true(behind >= -20_000 && behind < -10_000, String(behind))
})

for (const [offMs, lines] of [
  [0, 0],
  [-11_000, 1],
  [90_000, 1],
] as const) {
  test(`a clock that is ${offMs} ms off causes ${lines} lines in the log`, async (t) => {
    const { log, lines: logged } = testLog(t, 'gateway')
    const asked = Promise.withResolvers<void>()
    const now = async () => {
      setImmediate(asked.resolve)
      return Date.now() + offMs
    }
    const { check, stop } = watchClock({ db: { now }, log })
    t.teardown(stop)
    await asked.promise
    t.is(logged.filter((line) => line.includes('"event":"clock.apart"')).length, lines)
    t.is((await check()) === 'ok', Math.abs(offMs) < 60_000)
  })
}
