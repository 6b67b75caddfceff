import test from 'ava'
import { parseToken, tokenHash } from '#shared/crypto/token.ts'
import { createAccount, listAccounts } from '#shared/data/accounts/accounts.ts'
import type { Database } from '#shared/data/database.ts'
import { createFirstUser, ensureAccount } from '#shared/data/users/first-user.ts'
import { createSetupToken, setupTokenError, useSetupToken } from '#shared/data/users/setup-tokens.ts'
import { listUsers } from '#shared/data/users/users.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'

const minuteMs = 60_000

async function newToken(db: Database): Promise<string> {
  return tokenHash((await db.transaction(createSetupToken)) ?? '')
}

const first = {
  accountId: 'a',
  userId: 'u',
  eventId: 'e',
  plan: 'scale',
  email: 'ada@example.com',
  passwordHash: 'hash',
}

test('a set-up token is found by its hash and is valid for 30 minutes', async (t) => {
  const { db } = await testDatabase(t)
  const token = (await db.transaction(createSetupToken)) ?? ''
  t.deepEqual(parseToken(token), { kind: 'setup' })
  t.false(JSON.stringify(await db.all('select * from one_time_tokens')).includes(token))
  const [hash, now] = [tokenHash(token), await db.now()]
  t.is(await setupTokenError(db, { hash, now }), null)
  t.is(await setupTokenError(db, { hash, now: now + 29 * minuteMs }), null)
  t.is(await setupTokenError(db, { hash, now: now + 31 * minuteMs }), 'expired')
  t.false(await useSetupToken(db, { hash, now: now + 31 * minuteMs }))
})

test('each start has its own token, which invalidates that of the previous start', async (t) => {
  const { db } = await testDatabase(t)
  const [before, after] = [await newToken(db), await newToken(db)]
  const now = await db.now()
  t.is(await setupTokenError(db, { hash: before, now }), 'unknown')
  t.false(await useSetupToken(db, { hash: before, now }))
  t.is(await setupTokenError(db, { hash: after, now }), null)
})

test('of several concurrent uses of a token, in several processes, one succeeds', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const hash = await newToken(db)
  const others = await Promise.all([1, 2, 3].map(() => anotherConnection(t, dataDir)))
  const now = await db.now()
  const uses = await Promise.all([db, ...others].flatMap((one) => [1, 2].map(() => useSetupToken(one, { hash, now }))))
  t.is(uses.filter((used) => used).length, 1)
  t.is(await setupTokenError(db, { hash, now }), 'used')
})

test('once there is a user no token is created, and an existing one counts as used', async (t) => {
  const { db } = await testDatabase(t)
  const hash = await newToken(db)
  const user = await db.transaction((tx) => createFirstUser(tx, first))
  t.like(user, { id: 'u', accountId: 'a', email: 'ada@example.com' })
  t.is(await setupTokenError(db, { hash, now: await db.now() }), 'used')
  t.is(await db.transaction(createSetupToken), null)
  t.is(await db.transaction((tx) => createFirstUser(tx, { ...first, userId: 'v', email: 'b@example.com' })), null)
})

test('the first user is in the oldest account, or in a new one called main', async (t) => {
  const { db } = await testDatabase(t)
  const account = await db.transaction((tx) => ensureAccount(tx, { idIfNew: 'a', plan: 'scale' }))
  t.like(account, { id: 'a', name: 'main', plan: 'scale' })
  await createAccount(db, { id: 'b', name: 'later', plan: 'free', now: 1 })
  t.like(await db.transaction((tx) => createFirstUser(tx, { ...first, accountId: 'c' })), { accountId: 'a' })
  t.is((await listAccounts(db, { limit: 5 })).length, 2)
})

test('if several processes create the first user at once, one succeeds, in one account', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const others = await Promise.all(Array.from({ length: 7 }, () => anotherConnection(t, dataDir)))
  const making = [db, ...others].map((one, n) =>
    one.transaction((tx) => {
      const email = `${n}@example.com`
      return createFirstUser(tx, { ...first, accountId: `a${n}`, userId: `u${n}`, email })
    }),
  )
  t.is((await Promise.all(making)).filter((user) => user !== null).length, 1)
  t.is((await listUsers(db, { limit: 9 })).length, 1)
  t.is((await listAccounts(db, { limit: 9 })).length, 1)
})
