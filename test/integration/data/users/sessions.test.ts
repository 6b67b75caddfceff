import test, { type ExecutionContext } from 'ava'
import type { Database } from '#shared/data/database.ts'
import { createIdentitySession } from '#shared/data/identities/identity-sessions.ts'
import {
  createSession,
  deleteOwnSession,
  deleteSessionsOfUser,
  findOwnSession,
  readSessionPage,
} from '#shared/data/users/sessions.ts'
import { testDatabase } from '../../../support/databases/database.ts'

const now = 1_700_000_000_000
const times = { createdAt: now, expiresAt: now + 10 }

/** Two live sessions of the user u and one that has ended, one of another user, and one of an identity with the same id. */
async function filled(t: ExecutionContext): Promise<Database> {
  const { db } = await testDatabase(t)
  const make = (id: string, userId: string, more = {}) =>
    createSession(db, { id, accountId: 'a', userId, tokenHash: `hash of ${id}`, ...times, ...more })
  await make('one', 'u', { expiresAt: now + 20 })
  await make('two', 'u', { createdAt: now + 1 })
  await make('ended', 'u', { expiresAt: now })
  await make('other', 'v')
  const identity = { id: 'identity', accountId: 'a', identityId: 'u', tokenHash: 'hash of identity' }
  await createIdentitySession(db, { ...identity, ...times, lastUsedAt: now })
  return db
}

test("a user's live sessions are read by page, and individually", async (t) => {
  const db = await filled(t)
  const request = { page: 1, limit: 1, direction: 'asc', filters: '{}' } as const
  const [one, two] = [
    { id: 'one', createdAt: now, expiresAt: now + 20 },
    { id: 'two', createdAt: now + 1, expiresAt: now + 10 },
  ]
  const at = { userId: 'u', now }
  const byCreation = await readSessionPage(db, at, { ...request, order: 'createdAt' })
  t.deepEqual(byCreation, { page: 1, limit: 1, total: 2, data: [one] })
  t.deepEqual((await readSessionPage(db, at, { ...request, order: 'expiresAt' })).data, [two])
  t.deepEqual(await findOwnSession(db, { ...at, sessionId: 'two' }), two)
  for (const sessionId of ['ended', 'other', 'identity', 'nobody']) {
    t.is(await findOwnSession(db, { ...at, sessionId }), null)
  }
})

test('users can end their own live sessions once, and no others', async (t) => {
  const db = await filled(t)
  const at = { userId: 'u', now }
  t.is(await deleteOwnSession(db, { ...at, sessionId: 'two' }), 'hash of two')
  for (const sessionId of ['two', 'ended', 'other', 'identity']) {
    t.is(await deleteOwnSession(db, { ...at, sessionId }), null)
  }
  t.is((await db.all('select id from sessions')).length, 4)
})

test('every session of a user ends, or all but one, and none of others', async (t) => {
  const db = await filled(t)
  t.is(await deleteSessionsOfUser(db, 'u', { except: 'one' }), 2)
  t.is(await deleteSessionsOfUser(db, 'u'), 1)
  const left = await db.all('select id from sessions order by id')
  t.deepEqual(left, [{ id: 'identity' }, { id: 'other' }])
})
