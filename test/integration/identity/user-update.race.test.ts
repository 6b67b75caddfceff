import test, { type ExecutionContext } from 'ava'
import type { UserUpdate } from '#shared/bus/messages/identity.ts'
import { newId } from '#shared/crypto/ids.ts'
import { tokenHash } from '#shared/crypto/token.ts'
import { findSessionByTokenHash } from '#shared/data/users/sessions.ts'
import { wrongEventCounts } from '../../support/databases/contents/events.ts'
import { addUser, password, startIdentity } from '../../support/identity/identity.ts'
import { askWithKey } from '../../support/nats/asked-again.ts'
import { rawClient } from '../../support/nats/bus.ts'

const email = 'ada@example.com'

async function start(t: ExecutionContext) {
  const identity = await startIdentity(t)
  const { userId, accountId, token } = await identity.login({ email })
  const session = await findSessionByTokenHash(identity.db, tokenHash(token))
  const message = (changes: UserUpdate['changes'], of: Partial<UserUpdate> = {}): UserUpdate => ({
    accountId,
    userId,
    sessionId: session?.id ?? '',
    currentPassword: password,
    changes,
    clientAddress: '192.0.2.1',
    actor: { authMode: 'user', tokenId: null, identityId: null },
    ...of,
  })
  const update = (changes: UserUpdate['changes'], of: Partial<UserUpdate> = {}) =>
    identity.bus.request('identity.user-update', message(changes, of), { timeoutMs: 3_600_000, requestId: 'r' })
  return { ...identity, session, message, update }
}

/** The results of requests: for each the name of its error, or `done`. */
async function outcomes(requests: readonly Promise<unknown>[]): Promise<string[]> {
  const ended = await Promise.allSettled(requests)
  return ended.map((one) => (one.status === 'fulfilled' ? 'done' : one.reason.name))
}

test('of concurrent changes of the password one is written, and the others had a wrong one', async (t) => {
  const { db, login, update } = await start(t)
  const passwords = [1, 2, 3].map((n) => `password number ${n}`)
  const ended = await outcomes(passwords.map((next) => update({ password: next })))
  t.deepEqual(ended.toSorted(), ['IDENTITY_NOT_AUTHENTICATED', 'IDENTITY_NOT_AUTHENTICATED', 'done'])
  t.is((await login({ email, password: passwords[ended.indexOf('done')] ?? '' })).userId, 'ada')
  t.is((await db.all("select id from events where type = 'user-updated'")).length, 1)
  t.deepEqual(await wrongEventCounts(db), [])
})

test('logins during a change of the password: no session of the old one is left, and that of the change is', async (t) => {
  const { db, login, update, session } = await start(t)
  const change = update({ password: 'another password of hers' })
  const logins = await outcomes([...[1, 2, 3].map(() => login({ email })), change])
  t.is(logins.at(-1), 'done')
  t.deepEqual(await db.all('select id from sessions'), [{ id: session?.id }])
  t.deepEqual(await outcomes([login({ email })]), ['USER_NOT_AUTHENTICATED'])
})

test('of users that choose the same email at once one gets it', async (t) => {
  const { db, update } = await start(t)
  await addUser(db, { id: 'grace', email: 'grace@example.com', memoryMib: 19 })
  const ended = await outcomes([
    update({ email: 'New@example.com' }),
    update({ email: 'new@EXAMPLE.com' }, { userId: 'grace' }),
  ])
  t.deepEqual(ended.toSorted(), ['IDENTITY_UNABLE_TO_CREATE', 'done'])
  t.is((await db.all("select id from users where email_key = 'new@example.com'")).length, 1)
  t.deepEqual(await wrongEventCounts(db), [])
})

test('a repeated change of a user finds that it was written', async (t) => {
  const { db, natsUrl, login, session, message } = await start(t)
  const client = await rawClient(t, natsUrl)
  for (const changes of [{ email: 'new@example.com' }, { password: 'another password of hers' }]) {
    const key = newId()
    const again = () => askWithKey(client, { subject: 'identity.user-update', key, body: message(changes) })
    t.deepEqual(await again(), { userId: 'ada' })
    t.deepEqual(await again(), { userId: 'ada' }, 'the process that wrote it died before it answered')
  }
  t.is((await db.all("select id from events where type = 'user-updated'")).length, 2)
  t.deepEqual(await db.all('select id from sessions'), [{ id: session?.id }])
  t.is((await login({ email: 'new@example.com', password: 'another password of hers' })).userId, 'ada')
})
