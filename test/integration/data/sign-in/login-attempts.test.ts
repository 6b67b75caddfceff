import test from 'ava'
import { countLoginAttempt, forgetLoginAttempts, refundLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { race } from '../../../support/databases/race.ts'

const start = 1_700_000_000_000
const seconds = (n: number) => n * 1_000
const hours = (n: number) => n * 3_600_000

test('five failed logins are free, then each starts a wait, from 1 s, doubling to 15 minutes', async (t) => {
  const { db } = await testDatabase(t)
  let now = start
  const waits: number[] = []
  for (let n = 1; n <= 18; n++) {
    t.is(await countLoginAttempt(db, { key: ['k'], now }), 0)
    const wait = (await counted()) - now
    waits.push(Math.max(0, wait))
    now += Math.max(0, wait)
  }
  async function counted(): Promise<number> {
    const row = await db.get<{ blocked_until: number }>('select blocked_until from login_attempts')
    return row?.blocked_until ?? 0
  }
  const doubling = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900, 900].map(seconds)
  t.deepEqual(waits, [0, 0, 0, 0, ...doubling])
})

test('during the wait a login is rejected with the remaining time, and not counted', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 6; n++) await countLoginAttempt(db, { key: ['k'], now: start + seconds(n > 4 ? 1 : 0) })
  const now = start + seconds(1) + 500
  for (let n = 0; n < 10; n++) t.is(await countLoginAttempt(db, { key: ['k'], now }), 1_500)
  t.is(await countLoginAttempt(db, { key: ['k'], now: now + 1_500 }), 0)
  t.is(await countLoginAttempt(db, { key: ['k'], now: now + 1_500 }), seconds(4))
})

test('the wait of one name does not affect another', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key: ['k'], now: start })
  t.is(await countLoginAttempt(db, { key: ['k'], now: start }), seconds(1))
  t.is(await countLoginAttempt(db, { key: ['other'], now: start }), 0)
})

test('a success clears the count', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key: ['k'], now: start })
  await forgetLoginAttempts(db, ['k'])
  for (let n = 0; n < 5; n++) t.is(await countLoginAttempt(db, { key: ['k'], now: start }), 0)
  t.is(await countLoginAttempt(db, { key: ['k'], now: start }), seconds(1))
})

test('an attempt that is undone leaves neither its count nor its wait', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 20; n++) {
    t.is(await countLoginAttempt(db, { key: ['k'], now: start + n }), 0)
    await refundLoginAttempt(db, { key: ['k'], now: start + n })
  }
  for (let n = 0; n < 4; n++) await countLoginAttempt(db, { key: ['k'], now: start })
  for (let n = 0; n < 3; n++) {
    t.is(await countLoginAttempt(db, { key: ['k'], now: start + seconds(1) }), 0)
    await refundLoginAttempt(db, { key: ['k'], now: start + seconds(1) })
  }
  t.is(await countLoginAttempt(db, { key: ['k'], now: start + seconds(1) }), 0)
  t.is(await countLoginAttempt(db, { key: ['k'], now: start + seconds(1) }), seconds(1))
})

test('an attempt that is undone leaves the wait that a later one started', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key: ['k'], now: start + n })
  await refundLoginAttempt(db, { key: ['k'], now: start })
  t.is(await countLoginAttempt(db, { key: ['k'], now: start + 4 }), seconds(1))
  await forgetLoginAttempts(db, ['k'])
  await refundLoginAttempt(db, { key: ['k'], now: start })
  t.deepEqual(await db.all('select * from login_attempts'), [])
})

test('attempts are forgotten twelve hours after the last one', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 5; n++) await countLoginAttempt(db, { key: ['k'], now: start })
  const late = start + hours(12)
  t.is(await countLoginAttempt(db, { key: ['k'], now: late - 1 }), 0)
  t.is(await countLoginAttempt(db, { key: ['k'], now: late + hours(12) - 1 }), 0)
  for (let n = 0; n < 4; n++) t.is(await countLoginAttempt(db, { key: ['k'], now: start + hours(48) }), 0)
  t.is(await countLoginAttempt(db, { key: ['k'], now: start + hours(48) }), 0)
  t.is(await countLoginAttempt(db, { key: ['k'], now: start + hours(48) }), seconds(1))
})

test('of parallel guesses, even through two processes, no more than five continue', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  const waits = await race(60, (n) => countLoginAttempt(n % 2 ? db : other, { key: ['k'], now: start }))
  t.is(waits.filter((wait) => wait === 0).length, 5)
})
