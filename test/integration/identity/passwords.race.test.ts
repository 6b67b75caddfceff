import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { changeGroup } from '#shared/data/identities/group-changes.ts'
import { lockIdentity } from '#shared/data/identities/identities.ts'
import { findGroup } from '#shared/data/identities/identity-groups.ts'
import type { OneTimeKind } from '#shared/data/identities/one-time-tokens.ts'
import { putOneTimeToken } from '#shared/data/identities/one-time-tokens.ts'
import { until } from '../../support/assertions/until.ts'
import { watchHashing } from '../../support/identity/hashing.ts'
import { password, startIdentity, type TestIdentity } from '../../support/identity/identity.ts'
import { askWithKey } from '../../support/nats/asked-again.ts'
import { rawClient } from '../../support/nats/bus.ts'

const accountId = 'account'
const actor = { authMode: 'token', tokenId: 'token', identityId: null } as const
const who = { name: 'ada', group: 'staff' }

/** The results of requests: for each the name of its error, or `done`. */
async function outcomes(requests: readonly Promise<unknown>[]): Promise<string[]> {
  const ended = await Promise.allSettled(requests)
  return ended.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.name))
}

async function withToken(identity: TestIdentity, kind: OneTimeKind): Promise<{ identityId: string; hash: string }> {
  const { identityId } = await identity.register(who)
  const hash = tokenHash(generateToken(kind))
  const times = { createdAt: Date.now(), expiresAt: Date.now() + 3_600_000 }
  await putOneTimeToken(identity.db, { accountId, identityId, kind, tokenHash: hash, ...times })
  return { identityId, hash }
}

const ask = ({ bus }: TestIdentity, subject: 'identity.reset-password' | 'identity.update-self', body: object) =>
  bus.request(subject, { accountId, actor, ...body }, { timeoutMs: 3_600_000, requestId: 'r' })

// Serial: it watches all hashing of the process.
test.serial('new requirements of a group apply to passwords that are being hashed, and use up no token', async (t) => {
  const identity = await startIdentity(t)
  const { db } = identity
  const { identityId, hash } = await withToken(identity, 'reset')
  const { id } = (await findGroup(db, accountId, who.group)) ?? t.fail()
  const hashing = watchHashing(t)
  const requests = await db.transaction(async (tx) => {
    const settings = { requireEmail: true, minPasswordLength: password.length + 1 }
    await changeGroup(tx, { accountId, id, settings, actor, eventId: 'event' })
    await lockIdentity(tx, { accountId, identityId })
    const began = [
      identity.register({ group: who.group, name: 'grace', password: 'a password that is long' }),
      ask(identity, 'identity.reset-password', { tokenHash: hash, password }),
    ]
    for (const one of began) one.catch(() => {})
    await until(() => hashing.created.length === began.length, { what: 'both passwords to be hashed' })
    return began
  })
  t.deepEqual(await outcomes(requests), ['IDENTITY_EMAIL_REQUIRED', 'VALIDATION_FAILED'])
  const longer = { tokenHash: hash, password: 'a password that is long' }
  t.deepEqual(await outcomes([ask(identity, 'identity.reset-password', longer)]), ['done'])
})

test('of concurrent resets with one token exactly one wins, and its password is valid', async (t) => {
  const identity = await startIdentity(t)
  const { hash } = await withToken(identity, 'reset')
  const passwords = Array.from({ length: 6 }, (_, n) => `password number ${n}`)
  const ended = await outcomes(
    passwords.map((one) => ask(identity, 'identity.reset-password', { tokenHash: hash, password: one })),
  )
  t.deepEqual(ended.toSorted(), [...Array(5).fill('IDENTITY_TOKEN_INVALID'), 'done'])
  const winner = passwords[ended.indexOf('done')]
  t.deepEqual(await outcomes([identity.signIn({ who, password: winner ?? '' })]), ['done'])
  const events = await identity.db.all("select id from events where type = 'identity-updated'")
  t.is(events.length, 1)
})

test('after a reset no session that the old password opened is left, even with concurrent logins', async (t) => {
  const identity = await startIdentity(t)
  const { hash } = await withToken(identity, 'reset')
  const reset = ask(identity, 'identity.reset-password', { tokenHash: hash, password: 'another password' })
  const ended = await outcomes([...[1, 2, 3].map(() => identity.signIn({ who, password })), reset])
  t.is(ended[3], 'done')
  for (const one of ended.slice(0, 3)) t.true(['done', 'IDENTITY_NOT_AUTHENTICATED'].includes(one), one)
  t.deepEqual(await identity.db.all("select id from sessions where kind = 'identity'"), [])
})

test('of concurrent changes of the password, by the same current one, exactly one wins', async (t) => {
  const identity = await startIdentity(t)
  const { identityId, hash } = await withToken(identity, 'verify')
  const passwords = Array.from({ length: 4 }, (_, n) => `password number ${n}`)
  const given = { identityId, currentPassword: password, sessionHash: hash, clientAddress: '192.0.2.1' }
  const ended = await outcomes(
    passwords.map((one) => ask(identity, 'identity.update-self', { ...given, change: { password: one } })),
  )
  t.deepEqual(ended.toSorted(), [...Array(3).fill('IDENTITY_NOT_AUTHENTICATED'), 'done'])
  const winner = passwords[ended.indexOf('done')]
  t.deepEqual(await outcomes([identity.signIn({ who, password: winner ?? '' })]), ['done'])
  t.deepEqual(await identity.db.all('select kind from identity_one_time_tokens'), [])
})

test('of two identities that choose one name, or one email, at once exactly one gets it', async (t) => {
  const identity = await startIdentity(t)
  const identities = await Promise.all(['a', 'b', 'c'].map((name) => identity.register({ name, group: 'staff' })))
  const given = { currentPassword: password, sessionHash: tokenHash('none'), clientAddress: '192.0.2.1' }
  for (const change of [{ name: 'taken' }, { email: 'taken@example.com' }]) {
    const ended = await outcomes(
      identities.map(({ identityId }) => ask(identity, 'identity.update-self', { ...given, identityId, change })),
    )
    t.deepEqual(ended.toSorted(), [...Array(2).fill('IDENTITY_UNABLE_TO_CREATE'), 'done'])
  }
})

test('a repeated change of a password finds that it was written, and no other request does', async (t) => {
  const identity = await startIdentity(t)
  const { db, natsUrl } = identity
  const client = await rawClient(t, natsUrl)
  const { identityId, hash } = await withToken(identity, 'reset')
  const own = {
    identityId,
    sessionHash: tokenHash('none'),
    clientAddress: '192.0.2.1',
    currentPassword: 'the second password',
  }
  const changes = [
    ['identity.reset-password', { tokenHash: hash, password: 'the second password' }],
    ['identity.update-self', { ...own, change: { password: 'the third password' } }],
  ] as const
  for (const [subject, change] of changes) {
    const [key, body] = [newId(), { accountId, actor, ...change }]
    const again = () => askWithKey(client, { subject, key, body })
    t.deepEqual(await again(), { identityId })
    t.deepEqual(await again(), { identityId }, 'the process that wrote it died before it answered')
    t.is(await askWithKey(client, { subject, key: newId(), body }), undefined)
  }
  t.is((await db.all("select id from events where type = 'identity-updated'")).length, 2)
  t.truthy(await identity.signIn({ who, password: 'the third password' }))
})
