import { readFileSync } from 'node:fs'
import test, { type ExecutionContext } from 'ava'
import { hashPassword } from '#shared/crypto/password.ts'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { findIdentity, findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { findUser, findUserByEmailKey } from '#shared/data/users/users.ts'
import type { LoginIdentifier } from '#shared/domain/identity/sign-in.ts'
import type { AppError } from '#shared/errors.ts'
import { atLeast, atMost } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { ada, adaAndGrace, failedLogins, failedUserLogins, failureOf } from '../../support/identity/failed-logins.ts'
import { watchHashing, workOf } from '../../support/identity/hashing.ts'
import { addUser, password, startIdentity, type TestIdentity } from '../../support/identity/identity.ts'
import { sum } from '../../support/load/statistics.ts'

const accountId = 'account'
const days = 86_400_000
/** A hash against which verifying a password would take minutes. */
const planted = `$argon2id$v=19$m=${1024 * 1024},t=1000,p=1$${'A'.repeat(22)}$${'B'.repeat(43)}`

/** How users and identities sign in. The same tests run for both where they have the same rules. */
type SignIn = {
  start(t: ExecutionContext): Promise<TestIdentity>
  /** Signs in as Ada, or as `as`. */
  login(identity: TestIdentity, given?: { as?: string; password?: string }): Promise<{ token: string }>
  /** Failing logins, by the reason why they fail. */
  failures(identity: TestIdentity): Record<string, () => Promise<unknown>>
  rejection: Pick<AppError, 'name' | 'code'>
  table: string
  loggedIn: string
  /** Signs in as an identity of the same name in another group; users have no groups. */
  elsewhere?(identity: TestIdentity, as: string): Promise<unknown>
}

const signIns: Record<string, SignIn> = {
  'a user': {
    start: startIdentity,
    login: ({ login }, { as = 'Ada', ...given } = {}) => login({ email: `${as}@example.com`, ...given }),
    failures: ({ login }) => delayed(failedUserLogins, login),
    rejection: { name: 'USER_NOT_AUTHENTICATED', code: 11_002 },
    table: 'users',
    loggedIn: 'user.logged_in',
  },
  'an identity': {
    start: adaAndGrace,
    login: ({ signIn }, { as = 'Ada', ...given } = {}) => signIn({ who: { group: 'staff', name: as }, ...given }),
    failures: ({ signIn }) => delayed(failedLogins, signIn),
    rejection: { name: 'IDENTITY_NOT_AUTHENTICATED', code: 20_008 },
    table: 'identities',
    loggedIn: 'identity.logged_in',
    elsewhere: ({ signIn }, name) => signIn({ who: { group: 'guests', name } }),
  },
}

function delayed<T>(
  given: Record<string, T>,
  login: (one: T) => Promise<unknown>,
): Record<string, () => Promise<unknown>> {
  return Object.fromEntries(Object.entries(given).map(([what, one]) => [what, () => login(one)]))
}

for (const [who, { start, login, failures, rejection, table, loggedIn, elsewhere }] of Object.entries(signIns)) {
  test.serial(
    `${who}: every failed login has the same answer, and costs one verification with the parameters of the service`,
    async (t) => {
      const identity = await start(t)
      const hashing = watchHashing(t)
      const answers: unknown[] = []
      for (const [what, fail] of Object.entries(failures(identity))) {
        const { name, code, status, message, details, retryAfterSeconds } = await failureOf(fail())
        answers.push({ name, code, status, message, details, retryAfterSeconds })
        t.deepEqual(answers.at(-1), answers[0], what)
        t.deepEqual(hashing.verified.splice(0), ['m=19456,t=2,p=1'], what)
      }
      t.like(answers[0], { ...rejection, status: 401 })
      t.deepEqual(hashing.created, [])
    },
  )

  test.serial(
    `${who}: a failed login costs the same if passwords.* was lower or higher when the hash was created`,
    async (t) => {
      const identity = await start(t)
      const hashing = watchHashing(t)
      for (const memoryMib of [8, 32]) {
        const hash = await hashPassword(password, { memoryMib, operations: 2 })
        await identity.db.run(`update ${table} set password_hash = ?`, [hash])
        // From its first verification the service learns that a stored hash is more expensive than the configured ones.
        await failureOf(login(identity, { password: 'wrong' }))
        for (const [what, fail] of Object.entries(failures(identity))) {
          await identity.db.run('delete from login_attempts')
          hashing.verified.length = 0
          await failureOf(fail())
          t.is(sum(hashing.verified.map(workOf)), Math.max(19, memoryMib) * 1024 * 2, `${memoryMib} MiB, ${what}`)
        }
      }
    },
  )

  for (const [whose, as] of [
    ['a name', 'Ada'],
    ['an unknown name', 'Nobody'],
  ] as const) {
    test(`${who}: after five failures ${whose} waits, whatever the password, and the error says how long`, async (t) => {
      const identity = await start(t)
      for (let n = 0; n < 5; n++) {
        // As if there had been many failures, so that the wait after the fifth one outlasts a slow machine.
        if (n === 4) await identity.db.run('update login_attempts set failures = 13')
        t.is((await failureOf(login(identity, { as, password: 'wrong' }))).name, rejection.name)
      }
      const rejected = await failureOf(login(identity, { as: as.toUpperCase() }))
      t.like(rejected, { name: 'IDENTITY_TOO_MANY_ATTEMPTS', status: 429 })
      atLeast(t, Number(rejected.retryAfterSeconds), 401, 'retryAfterSeconds')
      atMost(t, Number(rejected.retryAfterSeconds), 512, 'retryAfterSeconds')
      if (elsewhere) t.is((await failureOf(elsewhere(identity, as))).name, rejection.name)
    })
  }

  test(`${who}: parallel guesses do not beat the limit`, async (t) => {
    const identity = await start(t)
    const guess = (n: number) => failureOf(login(identity, { password: `guess ${n}` }))
    await guess(0)
    // As if there had been 12 failures, so that the next wait outlasts a slow machine.
    await identity.db.run('update login_attempts set failures = 12')
    const names = (await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n + 1)))).map(({ name }) => name)
    t.is(names.filter((name) => name === rejection.name).length, 1)
    t.is(names.filter((name) => name === 'IDENTITY_TOO_MANY_ATTEMPTS').length, 39)
  })

  test(`${who}: a success clears the count of the name, and undoes its own count`, async (t) => {
    const identity = await start(t)
    for (let round = 0; round < 3; round++) {
      for (let n = 0; n < 4; n++) t.is((await failureOf(login(identity, { password: 'wrong' }))).name, rejection.name)
      t.truthy((await login(identity)).token)
    }
    t.deepEqual(await identity.db.all('select * from login_attempts'), [])
  })

  test(`${who}: no hash and no typed name is logged`, async (t) => {
    const identity = await start(t)
    const { token } = await login(identity)
    await failureOf(login(identity, { password: 'canary-password' }))
    await failureOf(login(identity, { as: 'canary-name' }))
    const hashes = await identity.db.all(`select password_hash as hash from ${table}`)
    t.true(identity.logged().includes(loggedIn))
    for (const secret of [tokenHash(token), ...hashes.map(({ hash }) => String(hash)), 'canary'])
      t.false(identity.logged().includes(secret))
  })
}

test('one address, for IPv6 its /64, may fail 100 times a minute over all names of users and identities; another is not affected', async (t) => {
  const { login, signIn } = await adaAndGrace(t)
  for (let n = 0; n < 10; n++) {
    const attempts = Array.from({ length: 5 }, (_, m) => {
      const [name, given] = [`u${n}-${m}`, { password: 'wrong', clientAddress: `2001:db8::${n}:${m}` }]
      return [login({ email: `${name}@example.com`, ...given }), signIn({ who: { group: null, name }, ...given })]
    })
    await Promise.all(attempts.flat().map(failureOf))
  }
  for (const attempt of [
    login({ email: 'ada@example.com', clientAddress: '2001:db8::ffff' }),
    signIn({ who: ada, clientAddress: '2001:db8::ffff' }),
  ]) {
    const rejected = await failureOf(attempt)
    t.is(rejected.name, 'IDENTITY_TOO_MANY_ATTEMPTS')
    atLeast(t, Number(rejected.retryAfterSeconds), 1, 'retryAfterSeconds')
    atMost(t, Number(rejected.retryAfterSeconds), 60, 'retryAfterSeconds')
  }
  t.truthy((await signIn({ who: ada, clientAddress: '2001:db8:0:1::1' })).token)
  t.is((await login({ email: 'ada@example.com', clientAddress: '192.0.2.2' })).userId, 'ada')
})

test('a user: the right password opens a session of 7 days that the gateway finds by its hash', async (t) => {
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

test('a planted hash is never verified: the login fails like any other and the log says so', async (t) => {
  const { db, login, logged } = await startIdentity(t)
  await db.run('update users set password_hash = ?', [planted])
  t.is((await failureOf(login({ email: 'ada@example.com' }))).name, 'USER_NOT_AUTHENTICATED')
  t.true(logged().includes('password_hash.invalid'))
})

test('a user: a hash of weaker parameters is replaced after the login, a stronger one is not', async (t) => {
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

test('an identity: the right password opens a session as long as the group allows, found by its hash', async (t) => {
  const { db, signIn, identityId } = await adaAndGrace(t)
  await db.run('update identity_groups set session_lifetime_seconds = 3600')
  const before = Date.now()
  const answer = await signIn({ who: { group: 'staff', name: ' ADA ' } })
  t.is(answer.identityId, identityId)
  t.deepEqual(parseToken(answer.token), { kind: 'identity' })
  t.true(answer.expiresAt >= before + 3_600_000 && answer.expiresAt <= Date.now() + 3_600_000)
  const session = await findIdentitySession(db, tokenHash(answer.token))
  t.like(session, { accountId, expiresAt: answer.expiresAt, identity: { id: identityId, groupName: 'staff' } })
  const found = await findIdentity(db, { accountId, identityId })
  t.true((found?.identity.lastLoginAt ?? 0) >= before)
  t.is((await signIn({ who: { group: 'staff', email: 'ADA@example.com' } })).identityId, identityId)
})

test('rejected logins are logged with address, account and group, and their names can be counted, but not read', async (t) => {
  const { db, signIn, logged } = await adaAndGrace(t)
  const logins = () =>
    logged()
      .split('\n')
      .filter((line) => line.includes('"event":"login.'))
      .map((line) => JSON.parse(line))
  const fail = (who: LoginIdentifier) => failureOf(signIn({ who, password: 'wrong', clientAddress: '192.0.2.7' }))
  for (const who of [ada, ada, { group: null, name: 'typed-canary' }]) await fail(who)
  await db.run('update login_attempts set failures = 13')
  await fail(ada)
  await fail(ada)
  const lines = logins()
  const [first, second, other] = lines
  t.deepEqual(
    lines.map(({ event }) => event),
    [...Array(4).fill('login.failed'), 'login.locked'],
  )
  t.like(first, { clientAddress: '192.0.2.7', accountId: 'account', group: ada.group })
  t.is(first.who, second.who)
  t.not(first.who, other.who)
  t.false(/typed-canary/i.test(JSON.stringify(lines)))
  const filter = readFileSync(new URL('../../../deploy/fail2ban/listd.conf', import.meta.url), 'utf8')
  const failregex = new RegExp(
    (/^failregex = (.*)$/m.exec(filter)?.[1] ?? '').replace('<HOST>', '(?<host>[0-9a-fA-F:.]+)'),
  )
  const datepattern = /^datepattern = (.*)$/m.exec(filter)?.[1] ?? ''
  const time = new RegExp(datepattern.replace('%%z', 'Z').replace('%%Y', '\\d{4}').replaceAll(/%%\w/g, '\\d+'))
  for (const line of logged()
    .split('\n')
    .filter((text) => text !== '')) {
    t.regex(time.exec(line)?.[0] ?? '', /Z"$/, 'times are UTC')
    const host = failregex.exec(line)?.groups?.host
    t.is(host, line.includes('"event":"login.') ? '192.0.2.7' : undefined, line)
  }
})

test('failed logins by name do not reveal which email belongs to it, and guesses by both are limited', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const error = async (who: LoginIdentifier) => (await failureOf(signIn({ who, password: 'wrong' }))).name
  const byEmail = { group: ada.group, email: 'ada@example.com' }
  const ofNobody = { group: ada.group, email: 'nobody@example.com' }
  // The wait is only 1 s at first, and may be over by now.
  const stretchWaits = () => db.run('update login_attempts set blocked_until = 9000000000000 where blocked_until > 0')
  for (let n = 0; n < 5; n++) t.is(await error(ada), 'IDENTITY_NOT_AUTHENTICATED')
  await stretchWaits()
  t.is(await error(ada), 'IDENTITY_TOO_MANY_ATTEMPTS')
  for (let n = 0; n < 5; n++) {
    for (const who of [byEmail, ofNobody]) t.is(await error(who), 'IDENTITY_NOT_AUTHENTICATED')
  }
  await stretchWaits()
  for (const who of [ada, byEmail, ofNobody]) t.is(await error(who), 'IDENTITY_TOO_MANY_ATTEMPTS')
})

test('a success by email does not change the count by name', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const byEmail = { group: ada.group, email: 'ada@example.com' }
  for (const who of [ada, ada, byEmail]) await failureOf(signIn({ who, password: 'wrong' }))
  t.truthy((await signIn({ who: byEmail })).token)
  t.deepEqual(await db.all('select failures from login_attempts'), [{ failures: 2 }])
})

test('if a verified email is required, the error says so after a right password and not after a wrong one', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  await db.run('update identity_groups set require_verified_email = 1')
  t.like(await failureOf(signIn({ who: ada })), { name: 'IDENTITY_EMAIL_NOT_VERIFIED', status: 403 })
  t.is((await failureOf(signIn({ who: ada, password: 'wrong' }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  t.is((await failureOf(signIn({ who: { group: 'staff', name: 'Grace' } }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  t.deepEqual(await db.all('select id from sessions'), [])
  await db.run('update identities set email_verified = 1')
  t.truthy((await signIn({ who: ada })).token)
})

test('a right password with an unverified email is not a failed login', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  await db.run('update identity_groups set require_verified_email = 1')
  for (let n = 0; n < 8; n++) t.is((await failureOf(signIn({ who: ada }))).name, 'IDENTITY_EMAIL_NOT_VERIFIED')
})

test('an identity without a password cannot sign in with any', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  await db.run('update identities set password_hash = null')
  for (const given of [password, '']) {
    t.is((await failureOf(signIn({ who: ada, password: given }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  }
})

test('an identity: a hash of weaker parameters is replaced after the login', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  await signIn({ who: ada })
  const stored = async () =>
    (await findIdentityToSignIn(db, { accountId, group: 'staff', nameKey: 'ada' }))?.passwordHash
  const weaker = 'update identities set password_hash = (select password_hash from users where id = ?)'
  await addUser(db, { id: 'old', email: 'old@example.com', memoryMib: 8 })
  await db.run(weaker, ['old'])
  t.true((await stored())?.includes('m=8192,'))
  await signIn({ who: ada })
  await until(async () => (await stored())?.includes(`m=${19 * 1024},`) ?? false)
  t.truthy((await signIn({ who: ada })).token)
})
