import test from 'ava'
import { limitAttempts } from '#services/identity/login-attempts.ts'
import { createLoginTurns } from '#services/identity/login-turns.ts'
import { createAddressLimit } from '#shared/admission/address-limit.ts'
import { hashesAtOnce } from '#shared/crypto/password.ts'
import { type AppError, unavailable } from '#shared/errors.ts'
import { until } from '../../support/assertions/until.ts'
import { testDatabase } from '../../support/databases/database.ts'
import { failureOf } from '../../support/identity/failed-logins.ts'
import { holdHashing } from '../../support/identity/hashing.ts'
import { startIdentity } from '../../support/identity/identity.ts'

// In a separate file, because it fills the queue of the process.

const count = 100 * hashesAtOnce

test('an attempt that finds no room counts neither for its name nor for its address', async (t) => {
  const { db } = await testDatabase(t)
  const addressLimit = createAddressLimit({ now: () => 0, perMinute: 100, maxKeys: 10 })
  const deps = { db, addressLimit, logRejectedLogin: () => {}, loginTurns: createLoginTurns(1) }
  const attempt = { key: ['k'], clientAddress: '192.0.2.1', requestId: 'r', deadline: Date.now(), name: 'k' }
  const noRoom = () => Promise.reject(unavailable('a test'))
  for (let n = 0; n < 110; n++)
    t.is((await failureOf(limitAttempts(deps, attempt, noRoom))).name, 'SERVICE_UNAVAILABLE')
  const rows = await db.all('select failures, blocked_until from login_attempts')
  t.deepEqual(rows, [{ failures: 0, blocked_until: 0 }])
})

test.serial('in a flood only verified attempts are counted', async (t) => {
  const { db, signIn } = await startIdentity(t)
  const release = holdHashing(t)
  const names: string[] = []
  const logins = Array.from({ length: count }, async (_, n) => {
    const login = signIn({ who: { group: null, name: `n${n}` }, clientAddress: `10.0.${n >> 8}.${n & 255}` })
    names.push((await failureOf(login)).name)
  })
  await until(() => names.length > 0)
  release()
  await Promise.all(logins)
  const verified = names.filter((name) => name === 'IDENTITY_NOT_AUTHENTICATED').length
  t.is(names.filter((name) => name === 'SERVICE_UNAVAILABLE').length, names.length - verified)
  t.is((await db.all('select login_key from login_attempts where failures > 0')).length, verified)
})

test.serial('more registrations than may wait are rejected at once', async (t) => {
  const { register, signIn } = await startIdentity(t)
  const release = holdHashing(t)
  let rejected = 0
  const registrations = Array.from({ length: count }, (_, n) =>
    register({ name: `n${n}` }).then(
      () => n,
      ({ name }: AppError) => {
        t.is(name, 'SERVICE_UNAVAILABLE')
        rejected++
      },
    ),
  )
  // Nothing is hashed before `release`.
  await until(() => rejected > 0)
  release()
  const registered = (await Promise.all(registrations)).filter((n) => n !== undefined)
  t.is(registered.length, count - rejected)
  t.truthy((await signIn({ who: { group: null, name: `n${registered[0]}` } })).token)
})
