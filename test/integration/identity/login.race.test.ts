import test from 'ava'
import { hashPassword } from '#shared/crypto/password.ts'
import { deleteSessionsOfUser } from '#shared/data/users/sessions.ts'
import { setUserDisabled } from '#shared/data/users/users.ts'
import { password, startIdentity } from '../../support/identity/identity.ts'

const settings = { memoryMib: 19, operations: 2 }
const another = 'another password of hers'

/** The results of logins: for each the name of its error, or `in`. */
async function outcomes(logins: readonly Promise<unknown>[]): Promise<string[]> {
  const ended = await Promise.allSettled(logins)
  return ended.map((one) => (one.status === 'fulfilled' ? 'in' : one.reason.name))
}

test('logins of one user during a change of the password: each is valid with the password that is valid at its end', async (t) => {
  const { db, login } = await startIdentity(t)
  const passwordHash = await hashPassword(another, settings)
  const given = { email: 'ada@example.com' }
  const change = db.run('update users set password_hash = ? where id = ?', [passwordHash, 'ada'])
  const ended = await outcomes([...[1, 2].map(() => login(given)), login({ ...given, password: another }), change])
  const sessions = await db.all('select id from sessions')
  t.is(sessions.length, ended.slice(0, 3).filter((one) => one === 'in').length)
  for (const one of ended) t.true(['in', 'USER_NOT_AUTHENTICATED'].includes(one), one)
  t.deepEqual(await outcomes([login({ ...given, password: another })]), ['in'])
})

test('logins of one user during a command that disables it: no session is left', async (t) => {
  const { db, login } = await startIdentity(t)
  const given = { email: 'ada@example.com' }
  const key = { accountId: 'account', userId: 'ada' }
  const disabling = db.transaction(async (tx) => {
    await setUserDisabled(tx, key, { disabledAt: 1, now: 1 })
    return deleteSessionsOfUser(tx, 'ada')
  })
  const ended = await outcomes([...[1, 2, 3].map(() => login(given)), disabling])
  t.is(ended.pop(), 'in')
  for (const one of ended) t.true(['in', 'USER_NOT_AUTHENTICATED'].includes(one), one)
  t.deepEqual(await db.all('select id from sessions'), [])
})

test('logins of one identity during its deactivation: no session is created after it', async (t) => {
  const { db, signIn, register } = await startIdentity(t)
  await register({ name: 'ada', group: 'staff' })
  const who = { name: 'ada', group: 'staff' }
  t.deepEqual(await outcomes([signIn({ who, password })]), ['in'])
  const deactivation = db.run('update identities set activated = 0')
  const ended = await outcomes([...[1, 2, 3].map(() => signIn({ who, password })), deactivation])
  const sessions = await db.all("select id from sessions where kind = 'identity'")
  t.is(sessions.length, 1 + ended.slice(0, 3).filter((one) => one === 'in').length)
  t.deepEqual(await outcomes([signIn({ who, password })]), ['IDENTITY_NOT_AUTHENTICATED'])
})

test('many correct logins of one user or identity at once, by two processes, all succeed', async (t) => {
  const identity = await startIdentity(t)
  await identity.register({ name: 'ada', group: 'staff' })
  await identity.another()
  const who = { name: 'ada', group: 'staff' }
  const logins = Array.from({ length: 12 }, (_, n) =>
    n % 2 ? identity.login({ email: 'ada@example.com' }) : identity.signIn({ who, password }),
  )
  t.deepEqual(new Set(await outcomes(logins)), new Set(['in']))
  t.deepEqual(await identity.db.all('select login_key from login_attempts'), [])
})

test('of concurrent wrong guesses, by two processes, no more are verified than one after the other', async (t) => {
  const { db, login, another } = await startIdentity(t)
  await another()
  const wrong = () => login({ email: 'ada@example.com', password: 'no password of hers' })
  t.deepEqual(await outcomes([wrong()]), ['USER_NOT_AUTHENTICATED'])
  // The next failure starts a wait that is longer than the test.
  await db.run('update login_attempts set failures = 13')
  const ended = await outcomes(Array.from({ length: 12 }, wrong))
  t.is(ended.filter((one) => one === 'USER_NOT_AUTHENTICATED').length, 1)
  t.is(ended.filter((one) => one === 'IDENTITY_TOO_MANY_ATTEMPTS').length, 11)
  t.deepEqual(await db.all('select failures from login_attempts'), [{ failures: 14 }])
})
