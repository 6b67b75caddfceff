import test from 'ava'
import { createRequestHours } from '#services/gateway/admission/request-hours.ts'
import type { HourRequests } from '#shared/data/accounts/request-hours.ts'
import { hourMs } from '#shared/domain/hours.ts'

const noon = Date.UTC(2026, 2, 1, 12)

function setUp() {
  const clock = { at: noon + 59 * 60_000 }
  const stored: HourRequests[] = []
  const failures: unknown[] = []
  const database = { fails: false }
  const hours = createRequestHours({
    now: () => clock.at,
    async store(rows) {
      if (database.fails) throw new Error('away')
      stored.push(...rows)
    },
    onError: (error) => failures.push(error),
  })
  return { clock, stored, failures, database, hours }
}

test('requests are counted by account and hour, and stored at the end', async (t) => {
  const { clock, stored, hours } = setUp()
  for (const account of ['a', 'b', 'a']) hours.count(account)
  clock.at += 60_000
  hours.count('a')
  t.deepEqual(stored, [])
  await hours.close()
  t.deepEqual(stored, [
    { accountId: 'a', hour: noon, requests: 2 },
    { accountId: 'b', hour: noon, requests: 1 },
    { accountId: 'a', hour: noon + hourMs, requests: 1 },
  ])
  await hours.close()
  t.is(stored.length, 3)
})

test('counts that cannot be stored wait for the next time, and this is reported', async (t) => {
  const { stored, failures, database, hours } = setUp()
  database.fails = true
  hours.count('a')
  await hours.close()
  t.deepEqual([stored.length, failures.length], [0, 1])
  hours.count('a')
  database.fails = false
  await hours.close()
  t.deepEqual(stored, [{ accountId: 'a', hour: noon, requests: 2 }])
})
