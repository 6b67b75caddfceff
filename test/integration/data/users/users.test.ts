import test from 'ava'
import { createAccount } from '#shared/data/accounts/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import { findPreferences, replacePreferences } from '#shared/data/users/preferences.ts'
import {
  changeUser,
  createUser,
  findUser,
  findUserByEmailKey,
  hasOtherUsers,
  hasUsers,
  listUsers,
  readUserNames,
  recordLogin,
  removeUser,
  setUserDisabled,
  upgradePasswordHash,
} from '#shared/data/users/users.ts'
import { emailKey } from '#shared/domain/user/user.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const now = 1_700_000_000_000

async function makeUser(db: Database, { id, email }: { id: string; email: string }) {
  return createUser(db, { id, accountId: 'a', email, passwordHash: 'hash', now })
}

async function withAccount(db: Database): Promise<Database> {
  await createAccount(db, { id: 'a', name: 'A', plan: 'scale', now })
  return db
}

test('a user is found by address, whatever its case and form', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  t.false(await hasUsers(db))
  const user = await makeUser(db, { id: 'u', email: ' Cafe\u0301@Example.com' })
  t.true(await hasUsers(db))
  t.deepEqual(user, {
    id: 'u',
    accountId: 'a',
    createdAt: now,
    updatedAt: now,
    email: 'Caf\u00e9@Example.com',
    displayName: null,
    lastLoginAt: null,
  })
  t.deepEqual(await findUserByEmailKey(db, emailKey('CAF\u00c9@example.COM')), {
    ...user,
    disabledAt: null,
    passwordHash: 'hash',
  })
  t.is(await findUserByEmailKey(db, emailKey('cafe@example.com')), null)
})

test('a user of another account does not exist', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  const user = await makeUser(db, { id: 'u', email: 'a@example.com' })
  t.deepEqual(await findUser(db, { accountId: 'a', userId: 'u' }), user)
  t.is(await findUser(db, { accountId: 'b', userId: 'u' }), null)
})

test('an address is unique, ignoring case', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  await makeUser(db, { id: 'u', email: 'ada@example.com' })
  const error = await t.throwsAsync(makeUser(db, { id: 'v', email: 'ADA@example.com' }))
  t.true(isUniqueViolation(error))
})

test('a login is recorded only while the password is the one that was verified', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  await makeUser(db, { id: 'u', email: 'a@example.com' })
  t.true(await recordLogin(db, { userId: 'u', passwordHash: 'hash', now: now + 5 }))
  t.is((await findUser(db, { accountId: 'a', userId: 'u' }))?.lastLoginAt, now + 5)
  t.false(await recordLogin(db, { userId: 'u', passwordHash: 'another', now: now + 6 }))
  t.false(await recordLogin(db, { userId: 'nobody', passwordHash: 'hash', now: now + 6 }))
  t.is((await findUser(db, { accountId: 'a', userId: 'u' }))?.lastLoginAt, now + 5)
})

test('a hash is upgraded only if it is still the one that was read', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  await makeUser(db, { id: 'u', email: 'a@example.com' })
  t.true(await upgradePasswordHash(db, { userId: 'u', from: 'hash', to: 'stronger' }))
  t.false(await upgradePasswordHash(db, { userId: 'u', from: 'hash', to: 'late' }))
  t.is((await findUserByEmailKey(db, 'a@example.com'))?.passwordHash, 'stronger')
})

test('users of an account, or of all, are listed in the order of creation', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  await createAccount(db, { id: 'b', name: 'B', plan: 'scale', now })
  const one = await makeUser(db, { id: 'u1', email: 'one@example.com' })
  const input = { id: 'u2', accountId: 'b', email: 'two@example.com', passwordHash: 'hash', now }
  const two = await createUser(db, input)
  const listed = [one, two].map((user) => ({ ...user, disabledAt: null }))
  t.deepEqual(await listUsers(db, { limit: 10 }), listed)
  t.deepEqual(await listUsers(db, { limit: 1 }), listed.slice(0, 1))
  t.deepEqual(await listUsers(db, { accountId: 'b', limit: 10 }), listed.slice(1))
})

test('a login with the old password fails once another is set', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  await makeUser(db, { id: 'u', email: 'a@example.com' })
  const set = (userId: string, accountId = 'a') =>
    db.transaction((tx) => changeUser(tx, { accountId, userId }, { changes: { passwordHash: 'new' }, now: now + 1 }))
  t.truthy(await set('u'))
  t.like(await findUserByEmailKey(db, 'a@example.com'), { passwordHash: 'new', updatedAt: now + 1 })
  t.false(await recordLogin(db, { userId: 'u', passwordHash: 'hash', now: now + 2 }))
  for (const [userId, accountId] of [['nobody'], ['u', 'b']] as const) t.is(await set(userId, accountId), null)
})

test('a disabled user cannot log in, and another account cannot disable or delete it', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  await makeUser(db, { id: 'u', email: 'u@example.com' })
  await makeUser(db, { id: 'v', email: 'v@example.com' })
  const key = { accountId: 'a', userId: 'u' }
  const login = () => recordLogin(db, { userId: 'u', passwordHash: 'hash', now })
  const set = (disabledAt: number | null, of = key) =>
    db.transaction((tx) => setUserDisabled(tx, of, { disabledAt, now: now + 1 }))
  const others = (userId: string) => db.transaction((tx) => hasOtherUsers(tx, { accountId: 'a', userId }))
  t.deepEqual([await set(1, { ...key, accountId: 'b' }), await login()], [false, true])
  t.deepEqual([await others('u'), await others('v')], [true, true])
  t.deepEqual([await set(1), await set(2), await login()], [true, false, false])
  t.like(await findUserByEmailKey(db, 'u@example.com'), { disabledAt: 1, updatedAt: now + 1 })
  t.deepEqual([await others('u'), await others('v')], [true, false])
  t.deepEqual([await set(null), await set(null), await login()], [true, false, true])
  const remove = (accountId: string) => db.transaction((tx) => removeUser(tx, { accountId, userId: 'u' }))
  t.deepEqual([await remove('b'), await remove('a'), await remove('a')], [false, true, false])
})

test('a change affects only what it names, and only while the password is the one that was verified', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  const user = await makeUser(db, { id: 'u', email: 'a@example.com' })
  const key = { accountId: 'a', userId: 'u' }
  const named = await db.transaction((tx) => changeUser(tx, key, { changes: { displayName: 'Ada' }, now: now + 1 }))
  t.deepEqual(named, { ...user, displayName: 'Ada', updatedAt: now + 1 })
  const changes = { email: 'B@example.com', passwordHash: 'new' }
  const change = { changes, verifiedHash: 'hash', now: now + 2 }
  t.like(await db.transaction((tx) => changeUser(tx, key, change)), { email: 'B@example.com', displayName: 'Ada' })
  t.like(await findUserByEmailKey(db, emailKey('b@EXAMPLE.com')), { id: 'u', passwordHash: 'new' })
  t.is(await db.transaction((tx) => changeUser(tx, key, change)), null)
})

test('preferences are stored as unchanged text, are not a change of the user, and are deleted with it', async (t) => {
  const db = await withAccount((await testDatabase(t)).db)
  const user = await makeUser(db, { id: 'u', email: 'a@example.com' })
  const key = { accountId: 'a', userId: 'u' }
  t.is(await findPreferences(db, key), '{}')
  const text = '{"n":9007199254740993,"10":1e400,"2":"\\u0000é"}'
  // The second time nothing changes.
  for (let n = 0; n < 2; n++) t.true(await replacePreferences(db, { ...key, text }))
  t.is(await findPreferences(db, key), text)
  t.deepEqual(await findUser(db, key), user)
  await makeUser(db, { id: 'v', email: 'b@example.com' })
  t.is(await findPreferences(db, { ...key, userId: 'v' }), '{}')
  for (const other of [
    { ...key, accountId: 'b' },
    { ...key, userId: 'nobody' },
  ]) {
    t.false(await replacePreferences(db, { ...other, text: '{}' }))
    t.is(await findPreferences(db, other), null)
  }
  await db.transaction((tx) => removeUser(tx, key))
  await makeUser(db, { id: 'u', email: 'a@example.com' })
  t.is(await findPreferences(db, key), '{}')
})

test('users are named by their display names, or else by their addresses, and only within the account', async (t) => {
  const { db } = await testDatabase(t)
  await withAccount(db)
  await createAccount(db, { id: 'b', name: 'B', plan: 'scale', now })
  await makeUser(db, { id: 'u1', email: 'ada@example.com' })
  await makeUser(db, { id: 'u2', email: 'bo@example.com' })
  await createUser(db, { id: 'u3', accountId: 'b', email: 'cy@example.com', passwordHash: 'hash', now })
  await db.run('update users set display_name = ? where id = ?', ['Ada', 'u1'])
  const names = await readUserNames(db, 'a', ['u1', 'u2', 'u3', 'gone'])
  t.deepEqual([...names].sort(), [
    ['u1', 'Ada'],
    ['u2', 'bo@example.com'],
  ])
  t.is((await readUserNames(db, 'a', [])).size, 0)
})
