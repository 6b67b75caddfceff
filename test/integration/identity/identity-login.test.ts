import { readFileSync } from 'node:fs'
import test from 'ava'
import { hashPassword } from '#shared/crypto/password.ts'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { findIdentity, findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import type { LoginIdentifier } from '#shared/domain/identity/sign-in.ts'
import { atLeast, atMost } from '../../support/assertions/bounds.ts'
import { until } from '../../support/assertions/until.ts'
import { ada, adaAndGrace, failedLogins, failureOf } from '../../support/identity/failed-logins.ts'
import { watchHashing, workOf } from '../../support/identity/hashing.ts'
import { addUser, password } from '../../support/identity/identity.ts'
import { sum } from '../../support/load/statistics.ts'

const accountId = 'account'

test('the right password makes a session as long as the group says, found by its hash', async (t) => {
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

test('every failed login has the same answer', async (t) => {
  const { signIn } = await adaAndGrace(t)
  const failures = await Promise.all(Object.values(failedLogins).map((given) => failureOf(signIn(given))))
  const shapes = failures.map(({ name, code, status, message, details, retryAfterSeconds }) => [
    name,
    code,
    status,
    message,
    details,
    retryAfterSeconds,
  ])
  for (const shape of shapes) t.deepEqual(shape, shapes[0])
  t.like(failures[0], { name: 'IDENTITY_NOT_AUTHENTICATED', code: 20_008, status: 401 })
})

test.serial('every failed login costs one verification with the parameters of the service', async (t) => {
  const { signIn } = await adaAndGrace(t)
  const hashing = watchHashing(t)
  for (const [what, given] of Object.entries(failedLogins)) {
    await failureOf(signIn(given))
    t.deepEqual(hashing.verified.splice(0), ['m=19456,t=2,p=1'], what)
  }
  t.deepEqual(hashing.made, [])
})

test.serial('a failed login costs the same when passwords.* was lower or higher when the hash was made', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const hashing = watchHashing(t)
  for (const memoryMib of [8, 32]) {
    await db.run('update identities set password_hash = ?', [
      await hashPassword(password, { memoryMib, operations: 2 }),
    ])
    // The service learns from its first verification that a hash costs more than the configuration.
    await failureOf(signIn({ who: ada, password: 'wrong' }))
    for (const [what, given] of Object.entries(failedLogins)) {
      await db.run('delete from login_attempts')
      hashing.verified.length = 0
      await failureOf(signIn(given))
      t.is(sum(hashing.verified.map(workOf)), Math.max(19, memoryMib) * 1024 * 2, `${memoryMib} MiB, ${what}`)
    }
  }
})

for (const [who, name] of [
  ['an identity', 'Ada'],
  ['a name that nobody has', 'Nobody'],
] as const) {
  test(`after five failures ${who} waits, whatever the password, and is told how long`, async (t) => {
    const { db, signIn } = await adaAndGrace(t)
    for (let n = 0; n < 5; n++) {
      // Long before the fifth: the wait after it is to outlast a slow machine.
      if (n === 4) await db.run('update login_attempts set failures = 13')
      const { name: error } = await failureOf(signIn({ who: { group: 'staff', name }, password: 'wrong' }))
      t.is(error, 'IDENTITY_NOT_AUTHENTICATED')
    }
    const refused = await failureOf(signIn({ who: { group: 'staff', name: name.toUpperCase() } }))
    t.like(refused, { name: 'IDENTITY_TOO_MANY_ATTEMPTS', status: 429 })
    atLeast(t, Number(refused.retryAfterSeconds), 401, 'retryAfterSeconds')
    atMost(t, Number(refused.retryAfterSeconds), 512, 'retryAfterSeconds')
    const elsewhere = await failureOf(signIn({ who: { group: 'guests', name } }))
    t.is(elsewhere.name, 'IDENTITY_NOT_AUTHENTICATED')
  })
}

test('refused logins are logged with address, account and group, and who was named can be counted, not read', async (t) => {
  const { db, signIn, logged } = await adaAndGrace(t)
  const told = () =>
    logged()
      .split('\n')
      .filter((line) => line.includes('"event":"login.'))
      .map((line) => JSON.parse(line))
  const fail = (who: LoginIdentifier) => failureOf(signIn({ who, password: 'wrong', clientAddress: '192.0.2.7' }))
  for (const who of [ada, ada, { group: null, name: 'typed-canary' }]) await fail(who)
  await db.run('update login_attempts set failures = 13')
  await fail(ada)
  await fail(ada)
  const lines = told()
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

test('failed logins by name do not tell which email belongs to it, and guesses by both are bounded', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const error = async (who: LoginIdentifier) => (await failureOf(signIn({ who, password: 'wrong' }))).name
  const byEmail = { group: ada.group, email: 'ada@example.com' }
  const ofNobody = { group: ada.group, email: 'nobody@example.com' }
  // The wait is a second yet, which may be over by now.
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

test('a success by email leaves the count by name as it is', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const byEmail = { group: ada.group, email: 'ada@example.com' }
  for (const who of [ada, ada, byEmail]) await failureOf(signIn({ who, password: 'wrong' }))
  t.truthy((await signIn({ who: byEmail })).token)
  t.deepEqual(await db.all('select failures from login_attempts'), [{ failures: 2 }])
})

test('parallel guesses do not beat the limit', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  const guess = (n: number) => failureOf(signIn({ who: ada, password: `guess ${n}` }))
  await guess(0)
  // The wait after the next one outlasts a slow machine.
  await db.run('update login_attempts set failures = 12')
  const names = (await Promise.all(Array.from({ length: 40 }, (_, n) => guess(n + 1)))).map(({ name }) => name)
  t.is(names.filter((name) => name === 'IDENTITY_NOT_AUTHENTICATED').length, 1)
  t.is(names.filter((name) => name === 'IDENTITY_TOO_MANY_ATTEMPTS').length, 39)
})

test('a success clears what was counted against the name, and takes its own count back', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) await failureOf(signIn({ who: ada, password: 'wrong' }))
    t.truthy((await signIn({ who: ada })).token)
  }
  t.deepEqual(await db.all('select * from login_attempts'), [])
})

test('one address, of IPv6 its /64, may fail 100 times a minute over all names; another is not affected', async (t) => {
  const { signIn } = await adaAndGrace(t)
  for (let n = 0; n < 20; n++) {
    await Promise.all(
      Array.from({ length: 5 }, (_, m) =>
        failureOf(signIn({ who: { group: null, name: `u${n}-${m}` }, clientAddress: `2001:db8::${n}:${m}` })),
      ),
    )
  }
  const refused = await failureOf(signIn({ who: ada, clientAddress: '2001:db8::ffff' }))
  t.is(refused.name, 'IDENTITY_TOO_MANY_ATTEMPTS')
  atLeast(t, Number(refused.retryAfterSeconds), 1, 'retryAfterSeconds')
  atMost(t, Number(refused.retryAfterSeconds), 60, 'retryAfterSeconds')
  t.truthy((await signIn({ who: ada, clientAddress: '2001:db8:0:1::1' })).token)
})

test('where a verified email is required, a right password is told so and a wrong one is not', async (t) => {
  const { db, signIn } = await adaAndGrace(t)
  await db.run('update identity_groups set require_verified_email = 1')
  t.like(await failureOf(signIn({ who: ada })), { name: 'IDENTITY_EMAIL_NOT_VERIFIED', status: 403 })
  t.is((await failureOf(signIn({ who: ada, password: 'wrong' }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  t.is((await failureOf(signIn({ who: { group: 'staff', name: 'Grace' } }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  t.deepEqual(await db.all('select id from sessions'), [])
  await db.run('update identities set email_verified = 1')
  t.truthy((await signIn({ who: ada })).token)
})

test('a right password against an unverified email is no failed login', async (t) => {
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

test('a hash of weaker parameters is replaced after the login', async (t) => {
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

test('nothing secret is logged', async (t) => {
  const { db, signIn, logged } = await adaAndGrace(t)
  const { token } = await signIn({ who: ada })
  await failureOf(signIn({ who: ada, password: 'canary-password' }))
  await failureOf(signIn({ who: { group: 'staff', name: 'canary-name' } }))
  const found = await findIdentityToSignIn(db, { accountId, group: 'staff', nameKey: 'ada' })
  t.true(logged().includes('identity.logged_in'))
  for (const secret of [token, tokenHash(token), password, found?.passwordHash ?? '-', 'canary']) {
    t.false(logged().includes(secret))
  }
})
