import test from 'ava'
import { hashPassword } from '#shared/crypto/password.ts'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { findUser, findUserByEmailKey } from '#shared/data/users/users.ts'
import { atLeast, atMost } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { failedUserLogins, failureOf } from '../../support/identity/failed-logins.ts'
import { watchHashing, workOf } from '../../support/identity/hashing.ts'
import { addUser, password, startIdentity } from '../../support/identity/identity.ts'
import { sum } from '../../support/load/statistics.ts'

const days = 86_400_000
/** Verifying against it would take minutes. */
const planted = `$argon2id$v=19$m=${1024 * 1024},t=1000,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`

test('the right password makes a session of 7 days that the gateway finds by its hash', async (t) => {
  const { db, login } = await startIdentity(t)
  const before = Date.now()
  const answer = await login({ email: ' ADA@example.com' })
  t.like(answer, { userId: 'ada', accountId: 'account' })
  t.deepEqual(parseToken(answer.token), { kind: 'session' })
  t.true(answer.expiresAt >= before + 7 * days && answer.expiresAt <= Date.now() + 7 * days)
  const session = await findSessionByTokenHash(db, tokenHash(answer.token))
  t.like(session, { userId: 'ada', accountId: 'account', expiresAt: answer.expiresAt })
  const user = await findUser(db, { accountId: 'account', userId: 'ada' })
  t.true((user?.lastLoginAt ?? 0) >= before)
})

test('every failed login has the same answer', async (t) => {
  const { login } = await startIdentity(t)
  const failures = await Promise.all(Object.values(failedUserLogins).map((given) => failureOf(login(given))))
  const shapes = failures.map(({ name, code, status, message, details, retryAfterSeconds }) => [
    name,
    code,
    status,
    message,
    details,
    retryAfterSeconds,
  ])
  for (const shape of shapes) t.deepEqual(shape, shapes[0])
  t.is(failures[0]?.name, 'USER_NOT_AUTHENTICATED')
})

test.serial('every failed login costs one verification with the parameters of the service', async (t) => {
  const { login } = await startIdentity(t)
  const hashing = watchHashing(t)
  for (const [what, given] of Object.entries(failedUserLogins)) {
    await failureOf(login(given))
    t.deepEqual(hashing.verified.splice(0), ['m=19456,t=2,p=1'], what)
  }
  t.deepEqual(hashing.made, [])
})

test.serial('a failed login costs the same when passwords.* was lower or higher when the hash was made', async (t) => {
  const { db, login } = await startIdentity(t)
  const hashing = watchHashing(t)
  for (const memoryMib of [8, 32]) {
    await db.run('update users set password_hash = ?', [await hashPassword(password, { memoryMib, operations: 2 })])
    // The service learns from its first verification that a hash costs more than the configuration.
    await failureOf(login({ email: 'ada@example.com', password: 'wrong' }))
    for (const [what, given] of Object.entries(failedUserLogins)) {
      await db.run('delete from login_attempts')
      hashing.verified.length = 0
      await failureOf(login(given))
      t.is(sum(hashing.verified.map(workOf)), Math.max(19, memoryMib) * 1024 * 2, `${memoryMib} MiB, ${what}`)
    }
  }
})

for (const [who, email] of [
  ['a name', 'ada@example.com'],
  ['a name that nobody has', 'nobody@example.com'],
] as const) {
  test(`after five failures ${who} waits, whatever the password, and is told how long`, async (t) => {
    const { db, login } = await startIdentity(t)
    for (let n = 0; n < 5; n++) {
      // Long before the fifth: the wait after it is to outlast a slow machine.
      if (n === 4) await db.run('update login_attempts set failures = 13')
      t.is((await failureOf(login({ email, password: 'wrong' }))).name, 'USER_NOT_AUTHENTICATED')
    }
    const { name, status, retryAfterSeconds } = await failureOf(login({ email: email.toUpperCase() }))
    t.deepEqual([name, status], ['IDENTITY_TOO_MANY_ATTEMPTS', 429])
    atLeast(t, Number(retryAfterSeconds), 401, 'retryAfterSeconds')
    atMost(t, Number(retryAfterSeconds), 512, 'retryAfterSeconds')
  })
}

test('parallel guesses do not beat the limit', async (t) => {
  const { db, login } = await startIdentity(t)
  const guess = (n: number) => failureOf(login({ email: 'ada@example.com', password: `guess ${n}` }))
  await guess(0)
  // The wait after the next one outlasts a slow machine.
  await db.run('update login_attempts set failures = 12')
  const names = (await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n + 1)))).map(({ name }) => name)
  t.is(names.filter((name) => name === 'USER_NOT_AUTHENTICATED').length, 1)
  t.is(names.filter((name) => name === 'IDENTITY_TOO_MANY_ATTEMPTS').length, 39)
})

test('a success clears what was counted against the name', async (t) => {
  const { login } = await startIdentity(t)
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) {
      t.is((await failureOf(login({ email: 'ada@example.com', password: 'wrong' }))).name, 'USER_NOT_AUTHENTICATED')
    }
    t.is((await login({ email: 'ada@example.com' })).userId, 'ada')
  }
})

test('one address may fail 100 times a minute, over all names; another is not affected', async (t) => {
  const { login } = await startIdentity(t)
  for (let n = 0; n < 20; n++) {
    await Promise.all(
      Array.from({ length: 5 }, (_, m) => failureOf(login({ email: `u${n}-${m}@example.com`, password: 'wrong' }))),
    )
  }
  const refused = await failureOf(login({ email: 'ada@example.com' }))
  t.is(refused.name, 'IDENTITY_TOO_MANY_ATTEMPTS')
  atLeast(t, Number(refused.retryAfterSeconds), 1, 'retryAfterSeconds')
  atMost(t, Number(refused.retryAfterSeconds), 60, 'retryAfterSeconds')
  t.is((await login({ email: 'ada@example.com', clientAddress: '192.0.2.2' })).userId, 'ada')
})

test('a planted hash is never verified: the login fails like any other and the log says so', async (t) => {
  const { db, login, logged } = await startIdentity(t)
  await db.run('update users set password_hash = ?', [planted])
  t.is((await failureOf(login({ email: 'ada@example.com' }))).name, 'USER_NOT_AUTHENTICATED')
  t.true(logged().includes('password_hash.invalid'))
})

test('a hash of weaker parameters is replaced after the login, a stronger one is not', async (t) => {
  const { db, login } = await startIdentity(t)
  await addUser(db, { id: 'old', email: 'old@example.com', memoryMib: 8 })
  await addUser(db, { id: 'new', email: 'new@example.com', memoryMib: 24 })
  const stored = async (email: string) => (await findUserByEmailKey(db, email))?.passwordHash ?? ''
  await login({ email: 'new@example.com' })
  await login({ email: 'old@example.com' })
  await until(async () => (await stored('old@example.com')).includes(`m=${19 * 1024},t=2`))
  t.true((await stored('new@example.com')).includes(`m=${24 * 1024},t=2`))
  t.is((await login({ email: 'old@example.com' })).userId, 'old')
})

test('nothing secret is logged', async (t) => {
  const { db, login, logged } = await startIdentity(t)
  const { token } = await login({ email: 'ada@example.com' })
  await failureOf(login({ email: 'ada@example.com', password: 'canary-password' }))
  await failureOf(login({ email: 'canary-name@example.com' }))
  const hash = (await findUserByEmailKey(db, 'ada@example.com'))?.passwordHash ?? ''
  t.true(logged().includes('user.logged_in'))
  for (const secret of [token, tokenHash(token), password, hash, 'canary']) t.false(logged().includes(secret))
})
