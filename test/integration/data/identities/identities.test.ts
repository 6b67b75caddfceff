import test, { type ExecutionContext } from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import type { Database } from '#shared/data/database.ts'
import { isUniqueViolation } from '#shared/data/database-errors.ts'
import {
  deleteIdentity,
  findIdentity,
  findIdentityId,
  findIdentityToSignIn,
  isIdentityTaken,
  lockIdentity,
  recordIdentityLogin,
  updateIdentity,
  upgradeIdentityPassword,
} from '#shared/data/identities/identities.ts'
import {
  ensureGroup,
  hasAmbiguousGroups,
  isAmbiguousGroup,
  readGroupSettings,
} from '#shared/data/identities/identity-groups.ts'
import {
  findIdentitySessionById,
  type IdentitySessionOrder,
  readIdentitySessionPage,
} from '#shared/data/identities/identity-session-page.ts'
import {
  countIdentitySessions,
  deleteIdentitySession,
  deleteIdentitySessions,
  findIdentitySession,
} from '#shared/data/identities/identity-sessions.ts'
import { recordUses } from '#shared/data/sign-in/last-uses.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { defaultGroupSettings } from '#shared/domain/identity/group-fields.ts'
import { anotherConnection, testDatabase } from '../../../support/databases/database.ts'
import { race } from '../../../support/databases/race.ts'
import { makeIdentity, makeSession } from '../../../support/identity/identities.ts'

const accountId = 'account'

async function uniqueViolation(t: ExecutionContext, insert: Promise<unknown>): Promise<void> {
  t.true(isUniqueViolation(await t.throwsAsync(insert)))
}

test('a name is unique in its group, ignoring case, and free in every other group and account', async (t) => {
  const { db } = await testDatabase(t)
  await makeIdentity(db, { accountId, name: 'Straße', group: 'staff' })
  await uniqueViolation(t, makeIdentity(db, { accountId, name: 'STRASSE', group: 'staff' }))
  await makeIdentity(db, { accountId, name: 'Straße', group: 'Staff' })
  await makeIdentity(db, { accountId, name: 'Straße' })
  await uniqueViolation(t, makeIdentity(db, { accountId, name: 'straße' }))
  await makeIdentity(db, { accountId: 'other', name: 'Straße', group: 'staff' })
})

test('a login is recorded, and a hash upgraded, only while the password is the one that was read', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'ada', passwordHash: 'old' })
  const hash = async () =>
    (await findIdentityToSignIn(db, { accountId, group: null, nameKey: 'ada' }))?.passwordHash ?? null
  await upgradeIdentityPassword(db, { identityId, from: 'another', to: 'wrong' })
  t.is(await hash(), 'old')
  await upgradeIdentityPassword(db, { identityId, from: 'old', to: 'new' })
  t.is(await hash(), 'new')
  t.false(await recordIdentityLogin(db, { identityId, passwordHash: 'old', now: 5 }))
  t.true(await recordIdentityLogin(db, { identityId, passwordHash: 'new', now: 5 }))
  t.is((await findIdentity(db, { accountId, identityId }))?.identity.lastLoginAt, 5)
})

test('an email is unique in its group, and any number of identities have none', async (t) => {
  const { db } = await testDatabase(t)
  for (let n = 0; n < 3; n++) await makeIdentity(db, { accountId, group: 'staff' })
  await makeIdentity(db, { accountId, group: 'staff', email: 'ada@example.com' })
  await uniqueViolation(t, makeIdentity(db, { accountId, group: 'staff', email: 'ADA@example.com' }))
  await makeIdentity(db, { accountId, email: 'ada@example.com' })
})

test('an identity is found by name or email, in its group and account only', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff', email: 'ada@example.com' })
  const free = await makeIdentity(db, { accountId, name: 'Ada' })
  t.is(await findIdentityId(db, { accountId, group: 'staff', nameKey: 'ada' }), identityId)
  t.is(await findIdentityId(db, { accountId, group: 'staff', emailKey: 'ada@example.com' }), identityId)
  t.is(await findIdentityId(db, { accountId, group: null, nameKey: 'ada' }), free.identityId)
  for (const group of ['Staff', 'staff ', ''])
    t.is(await findIdentityId(db, { accountId, group, nameKey: 'ada' }), null)
  t.is(await findIdentityId(db, { accountId: 'other', group: 'staff', nameKey: 'ada' }), null)
  t.is(await findIdentityId(db, { accountId, group: null, emailKey: 'ada@example.com' }), null)
  t.is(await findIdentity(db, { accountId: 'other', identityId }), null)
  t.true(await isIdentityTaken(db, { accountId, group: 'staff', nameKey: 'x', emailKey: 'ada@example.com' }))
  t.false(await isIdentityTaken(db, { accountId, group: 'staff', nameKey: 'x', emailKey: null }))
})

test('an identity is read as it was written, with the settings of its group', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff', email: 'Ada@example.com' })
  await db.run('update identity_groups set session_idle_seconds = 60, require_email = 1, updated_at = 7')
  const found = await findIdentity(db, { accountId, identityId })
  t.like(found?.identity, {
    id: identityId,
    accountId,
    name: 'Ada',
    displayName: 'The Ada',
    group: 'staff',
    email: 'Ada@example.com',
    emailVerified: false,
    hasPassword: true,
    lastLoginAt: null,
    activated: true,
  })
  t.deepEqual(found?.identity.tags, [])
  t.deepEqual(found?.settings, { ...defaultGroupSettings, sessionIdleSeconds: 60, requireEmail: true, updatedAt: 7 })
  await db.run('update identities set password_hash = null')
  t.false((await findIdentity(db, { accountId, identityId }))?.identity.hasPassword)
  const free = await makeIdentity(db, { accountId, name: 'Ada' })
  const { identity, settings } = (await findIdentityToSignIn(db, { accountId, group: null, nameKey: 'ada' })) ?? {}
  t.like(identity, { id: free.identityId, group: null })
  t.deepEqual(settings, defaultGroupSettings)
})

test('of concurrent registrations, even in two processes, one creates the group and all use it', async (t) => {
  const { db, dataDir } = await testDatabase(t)
  const other = await anotherConnection(t, dataDir)
  const make = (through: Database) =>
    through.transaction(async (tx) => (await ensureGroup(tx, { accountId, name: 'staff', idIfNew: newId() })).id)
  const ids = await race(20, (n) => make(n % 2 ? db : other))
  t.is(new Set(ids).size, 1)
  t.is((await db.all('select id from identity_groups')).length, 1)
  const { updatedAt: _updatedAt, ...settings } = await readGroupSettings(db, { accountId, name: 'staff' })
  t.like(defaultGroupSettings, settings)
})

test('a session is found by the hash of its token, but not as a session of a user', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId, token } = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff' })
  await db.run('update identity_groups set updated_at = 7')
  const session = await findIdentitySession(db, tokenHash(token))
  const identity = {
    id: identityId,
    name: 'Ada',
    displayName: 'The Ada',
    tags: [],
    groupName: 'staff',
    activated: true,
  }
  t.like(session, { accountId, identity, settings: { ...defaultGroupSettings, updatedAt: 7 } })
  t.is(session?.lastUsedAt, session?.createdAt)
  t.is(await findSessionByTokenHash(db, tokenHash(token)), null)
  t.is(session?.identity.groupIsAmbiguous, false)
  t.false(await hasAmbiguousGroups(db, accountId))
  t.false(await isAmbiguousGroup(db, { accountId, name: 'staff' }))
  await makeIdentity(db, { accountId, name: 'Eve', group: 'Staff' })
  t.is((await findIdentitySession(db, tokenHash(token)))?.identity.groupIsAmbiguous, true)
  t.true(await hasAmbiguousGroups(db, accountId))
  t.true(await isAmbiguousGroup(db, { accountId, name: 'staff' }))
  t.false(await isAmbiguousGroup(db, { accountId, name: 'others' }))
  await db.run('delete from identities')
  t.is(await findIdentitySession(db, tokenHash(token)), null)
})

test('a session, or every session of an identity, is ended, within its account only', async (t) => {
  const { db } = await testDatabase(t)
  const first = await makeIdentity(db, { accountId })
  const { identityId } = first
  const [second, third] = [await again(), await again()]
  const bystander = await makeIdentity(db, { accountId })
  async function again() {
    return makeSession(db, { id: identityId, accountId, group: null, displayName: '' })
  }
  const isThere = async ({ token }: { token: string }) => (await findIdentitySession(db, tokenHash(token))) !== null

  await deleteIdentitySession(db, { accountId: 'other', tokenHash: tokenHash(first.token) })
  await deleteIdentitySessions(db, { accountId: 'other', identityId })
  t.true(await isThere(first))
  await deleteIdentitySession(db, { accountId, tokenHash: tokenHash(first.token) })
  t.deepEqual(await Promise.all([first, second, third].map(isThere)), [false, true, true])
  await deleteIdentitySessions(db, { accountId, identityId })
  t.deepEqual(await Promise.all([second, third, bystander].map(isThere)), [false, false, true])
})

test('sessions that have expired are not counted', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId, displayName } = await makeIdentity(db, { accountId })
  for (let n = 0; n < 3; n++) await makeSession(db, { id: identityId, accountId, group: null, displayName })
  const session = await db.get<{ id: string }>('select id from sessions limit 1')
  const now = Date.now() + 100_000
  const count = (changed: object) =>
    countIdentitySessions(db, { accountId, identityId, settings: { ...defaultGroupSettings, ...changed }, now })
  t.is(await count({}), 4)
  t.is(await count({ sessionLifetimeSeconds: 90 }), 0)
  t.is(await count({ sessionIdleSeconds: 60 }), 0)
  t.is(await count({ sessionIdleSeconds: 200 }), 4)
  await db.run('update sessions set expires_at = ? where id = ?', [now, session?.id])
  t.is(await count({}), 3)
})

test('the last use of many sessions is recorded at once and never set back', async (t) => {
  const { db } = await testDatabase(t)
  const sessions = await Promise.all([1, 2, 3].map(() => makeIdentity(db, { accountId })))
  const read = async () =>
    (await Promise.all(sessions.map(({ token }) => findIdentitySession(db, tokenHash(token))))).flatMap(
      (row) => row ?? [],
    )
  const [first, second, third] = (await read()) as Required<Awaited<ReturnType<typeof read>>>
  if (!first || !second || !third) return t.fail()
  await recordUses(db, 'sessions', [
    { id: first.id, at: first.lastUsedAt + 5_000 },
    { id: second.id, at: second.lastUsedAt - 5_000 },
    { id: 'gone', at: 0 },
  ])
  t.deepEqual(
    (await read()).map(({ lastUsedAt }) => lastUsedAt),
    [first.lastUsedAt + 5_000, second.lastUsedAt, third.lastUsedAt],
  )
})

test('a page of sessions has those of one identity that have not ended, in either order and direction', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId, displayName } = await makeIdentity(db, { accountId })
  await makeIdentity(db, { accountId })
  for (let n = 0; n < 4; n++) await makeSession(db, { id: identityId, accountId, group: null, displayName })
  const stored = await db.all<{ id: string }>('select id from sessions where subject_id = ? order by id', [identityId])
  const now = Date.now()
  for (const [n, { id }] of stored.entries()) {
    await db.run('update sessions set created_at = ?, last_used_at = ? where id = ?', [now + n, now - n, id])
  }
  const of = { accountId, identityId, settings: defaultGroupSettings, now }
  const read = async (
    order: IdentitySessionOrder,
    direction: 'asc' | 'desc',
    place: { page: number } | { after: string },
  ) => {
    const page = await readIdentitySessionPage(db, of, { limit: 3, filters: '', order, direction, ...place })
    return { ...page, data: page.data.map(({ id }) => stored.findIndex((one) => one.id === id)) }
  }
  t.like(await read('createdAt', 'desc', { page: 1 }), { total: 5, data: [4, 3, 2] })
  t.like(await read('createdAt', 'asc', { page: 2 }), { total: 5, data: [3, 4] })
  const first = await read('lastUsedAt', 'desc', { after: '' })
  t.deepEqual(first.data, [0, 1, 2])
  t.like(await read('lastUsedAt', 'desc', { after: 'next' in first ? String(first.next) : '' }), {
    data: [3, 4],
    next: null,
  })
  await db.run('update sessions set expires_at = ? where id = ?', [now, stored[1]?.id])
  t.like(await read('createdAt', 'asc', { page: 1 }), { total: 4, data: [0, 2, 3] })
  t.is(await findIdentitySessionById(db, { ...of, sessionId: String(stored[1]?.id) }), null)
  t.is((await findIdentitySessionById(db, { ...of, sessionId: String(stored[0]?.id) }))?.lastUsedAt, now)
  t.is(await findIdentitySessionById(db, { ...of, identityId: 'other', sessionId: String(stored[0]?.id) }), null)
})

test('an identity is written and removed only in its account, and keeps the other columns of its row', async (t) => {
  const { db } = await testDatabase(t)
  const { identityId } = await makeIdentity(db, { accountId, name: 'Ada', group: 'staff', passwordHash: 'old' })
  const at = { accountId, identityId }
  const before = await db.transaction((tx) => lockIdentity(tx, at))
  if (!before) throw new Error('the identity is not there')
  t.is(before.passwordHash, 'old')
  const identity = { ...before.identity, name: 'Grace', email: 'G@example.com', emailVerified: true, updatedAt: 7 }
  await db.transaction((tx) => updateIdentity(tx, { ...identity, accountId: 'other' }))
  t.deepEqual(await findIdentity(db, at), before)
  await db.transaction((tx) => updateIdentity(tx, identity, { passwordHash: 'new' }))
  t.deepEqual(await findIdentity(db, at), { ...before, identity, passwordHash: 'new' })
  t.is(await findIdentityId(db, { accountId, group: 'staff', emailKey: 'g@example.com' }), identityId)
  await db.transaction((tx) => deleteIdentity(tx, { ...identity, accountId: 'other' }))
  t.truthy(await findIdentity(db, at))
  await db.transaction((tx) => deleteIdentity(tx, identity))
  t.is(await db.transaction((tx) => lockIdentity(tx, at)), null)
})
