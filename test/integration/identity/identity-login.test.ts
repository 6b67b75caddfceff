import test from 'ava'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { findIdentity, findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import { findIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import type { AppError } from '#shared/errors.ts'
import { atLeast, atMost } from '../../support/bounds.ts'
import { addUser, password, startIdentity, type TestIdentity } from '../../support/identity.ts'
import { until } from '../../support/until.ts'

const accountId = 'account'
const ada = { group: 'staff', name: 'Ada' }
const failure = (attempt: Promise<unknown>): Promise<AppError> =>
  attempt.then(
    () => Promise.reject(new Error('the login succeeded')),
    (error) => error,
  )

/** Ada of staff; and, of the same group, Grace who is deactivated. */
async function world(t: Parameters<typeof startIdentity>[0], env: Record<string, string> = {}) {
  const identity = await startIdentity(t, env)
  const { identityId } = await identity.register({ ...ada, email: 'Ada@example.com' })
  await identity.register({ name: 'Grace', group: 'staff' })
  await identity.db.run("update identities set activated = 0 where name = 'Grace'")
  return { ...identity, identityId }
}

test('the right password makes a session as long as the group says, found by its hash', async (t) => {
  const { db, signIn, identityId } = await world(t)
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

const wrong: Record<string, Parameters<TestIdentity['signIn']>[0]> = {
  'an unknown name': { who: { group: 'staff', name: 'Nobody' } },
  'an unknown email': { who: { group: 'staff', email: 'nobody@example.com' } },
  'a wrong group': { who: { group: 'guests', name: 'Ada' } },
  'a group in another case': { who: { group: 'Staff', name: 'Ada' } },
  'no group': { who: { group: null, name: 'Ada' } },
  'a wrong password': { who: ada, password: 'wrong' },
  'an empty password': { who: ada, password: '' },
  'a deactivated identity': { who: { group: 'staff', name: 'Grace' } },
  'another account': { who: ada, accountId: 'other' },
  'a token that may not sign it in': { who: ada, permitted: false },
  'a name that nobody can have': { who: { group: 'staff', name: 'a/\u0000b' } },
  'a group that cannot be': { who: { group: ' staff', name: 'Ada' } },
}

test('every failed login has the same answer', async (t) => {
  const { signIn } = await world(t)
  const failures = await Promise.all(Object.values(wrong).map((given) => failure(signIn(given))))
  const shapes = failures.map(({ name, code, status, message, details, retryAfterSeconds }) => [
    ...[name, code, status, message, details, retryAfterSeconds],
  ])
  for (const shape of shapes) t.deepEqual(shape, shapes[0])
  t.like(failures[0], { name: 'IDENTITY_NOT_AUTHENTICATED', code: 20_008, status: 401 })
})

// Serial, and in processor time: whatever else runs on the machine makes clocks tell less than that.
test.serial('every failed login costs the same', async (t) => {
  t.timeout(120_000)
  const { db, signIn } = await world(t, { LISTD_PASSWORDS_MEMORY_MIB: '64' })
  const costs = new Map<string, number[]>(Object.keys(wrong).map((what) => [what, []]))
  for (let round = 0; round < 7; round++) {
    await db.run('delete from login_attempts')
    for (const [what, given] of Object.entries(wrong)) {
      const before = process.cpuUsage()
      await failure(signIn(given))
      const { user, system } = process.cpuUsage(before)
      costs.get(what)?.push(user + system)
    }
  }
  const medians = [...costs].map(([what, all]): [string, number] => [what, all.toSorted((a, b) => a - b)[3] ?? 0])
  const microseconds = medians.map(([, cost]) => cost)
  t.true(Math.max(...microseconds) / Math.min(...microseconds) < 1.6, JSON.stringify(medians))
})

for (const [who, name] of [
  ['an identity', 'Ada'],
  ['a name that nobody has', 'Nobody'],
] as const) {
  test(`after five failures ${who} waits, whatever the password, and is told how long`, async (t) => {
    const { db, signIn } = await world(t)
    for (let n = 0; n < 5; n++) {
      // Long before the fifth: the wait after it is to outlast a slow machine.
      if (n === 4) await db.run('update login_attempts set failures = 13')
      const { name: error } = await failure(signIn({ who: { group: 'staff', name }, password: 'wrong' }))
      t.is(error, 'IDENTITY_NOT_AUTHENTICATED')
    }
    const refused = await failure(signIn({ who: { group: 'staff', name: name.toUpperCase() } }))
    t.like(refused, { name: 'IDENTITY_TOO_MANY_ATTEMPTS', status: 429 })
    atLeast(t, Number(refused.retryAfterSeconds), 401, 'retryAfterSeconds')
    atMost(t, Number(refused.retryAfterSeconds), 512, 'retryAfterSeconds')
    const elsewhere = await failure(signIn({ who: { group: 'guests', name } }))
    t.is(elsewhere.name, 'IDENTITY_NOT_AUTHENTICATED')
  })
}

test('parallel guesses do not beat the limit', async (t) => {
  const { signIn } = await world(t)
  const guesses = Array.from({ length: 40 }, (_, n) => failure(signIn({ who: ada, password: `guess ${n}` })))
  const names = (await Promise.all(guesses)).map(({ name }) => name)
  t.is(names.filter((name) => name === 'IDENTITY_NOT_AUTHENTICATED').length, 5)
  t.is(names.filter((name) => name === 'IDENTITY_TOO_MANY_ATTEMPTS').length, 35)
})

test('a success clears what was counted against the name, and takes its own count back', async (t) => {
  const { db, signIn } = await world(t)
  for (let round = 0; round < 3; round++) {
    for (let n = 0; n < 4; n++) await failure(signIn({ who: ada, password: 'wrong' }))
    t.truthy((await signIn({ who: ada })).token)
  }
  t.deepEqual(await db.all('select * from login_attempts'), [])
})

test('one address, of IPv6 its /64, may fail 100 times a minute over all names; another is not affected', async (t) => {
  t.timeout(60_000)
  const { signIn } = await world(t)
  for (let n = 0; n < 20; n++) {
    await Promise.all(
      Array.from({ length: 5 }, (_, m) =>
        failure(signIn({ who: { group: null, name: `u${n}-${m}` }, clientAddress: `2001:db8::${n}:${m}` })),
      ),
    )
  }
  const refused = await failure(signIn({ who: ada, clientAddress: '2001:db8::ffff' }))
  t.is(refused.name, 'IDENTITY_TOO_MANY_ATTEMPTS')
  atLeast(t, Number(refused.retryAfterSeconds), 1, 'retryAfterSeconds')
  atMost(t, Number(refused.retryAfterSeconds), 60, 'retryAfterSeconds')
  t.truthy((await signIn({ who: ada, clientAddress: '2001:db8:0:1::1' })).token)
})

test('where a verified email is required, a right password is told so and a wrong one is not', async (t) => {
  const { db, signIn } = await world(t)
  await db.run('update identity_groups set require_verified_email = 1')
  t.like(await failure(signIn({ who: ada })), { name: 'IDENTITY_EMAIL_NOT_VERIFIED', status: 403 })
  t.is((await failure(signIn({ who: ada, password: 'wrong' }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  t.is((await failure(signIn({ who: { group: 'staff', name: 'Grace' } }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  t.deepEqual(await db.all('select id from sessions'), [])
  await db.run('update identities set email_verified = 1')
  t.truthy((await signIn({ who: ada })).token)
})

test('a right password against an unverified email is no failed login', async (t) => {
  const { db, signIn } = await world(t)
  await db.run('update identity_groups set require_verified_email = 1')
  for (let n = 0; n < 8; n++) t.is((await failure(signIn({ who: ada }))).name, 'IDENTITY_EMAIL_NOT_VERIFIED')
})

test('an identity without a password cannot sign in with any', async (t) => {
  const { db, signIn } = await world(t)
  await db.run('update identities set password_hash = null')
  for (const given of [password, '']) {
    t.is((await failure(signIn({ who: ada, password: given }))).name, 'IDENTITY_NOT_AUTHENTICATED')
  }
})

test('a hash of weaker parameters is replaced after the login', async (t) => {
  const { db, signIn } = await world(t)
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
  const { db, signIn, logged } = await world(t)
  const { token } = await signIn({ who: ada })
  await failure(signIn({ who: ada, password: 'canary-password' }))
  await failure(signIn({ who: { group: 'staff', name: 'canary-name' } }))
  const found = await findIdentityToSignIn(db, { accountId, group: 'staff', nameKey: 'ada' })
  t.true(logged().includes('identity signed in'))
  for (const secret of [token, tokenHash(token), password, found?.passwordHash ?? '-', 'canary']) {
    t.false(logged().includes(secret))
  }
})
