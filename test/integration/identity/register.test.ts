import test from 'ava'
import { newId } from '#shared/crypto/ids.ts'
import { isVerifiable } from '#shared/crypto/password.ts'
import { findIdentity, findIdentityToSignIn } from '#shared/data/identities/identities.ts'
import type { AppError } from '#shared/errors.ts'
import { watchHashing } from '../../support/identity/hashing.ts'
import { password, startIdentity } from '../../support/identity/identity.ts'
import { askWithKey } from '../../support/nats/asked-again.ts'
import { rawClient } from '../../support/nats/bus.ts'

const accountId = 'account'
const nameOf = (attempt: Promise<unknown>): Promise<string> =>
  attempt.then(
    () => 'registered',
    (error: AppError) => error.name,
  )

test('a registration creates the identity and its group, hashes the password and logs an event without secrets', async (t) => {
  const { db, register, logged } = await startIdentity(t)
  const given = { name: 'Ada', displayName: 'Ada L.', group: 'staff', email: 'Ada@example.com' }
  const { identityId } = await register(given)
  const found = await findIdentityToSignIn(db, { accountId, group: 'staff', nameKey: 'ada' })
  t.like(found?.identity, { ...given, id: identityId, emailVerified: false, lastLoginAt: null, activated: true })
  t.true(isVerifiable(found?.passwordHash ?? ''))
  t.like(await db.get('select * from identity_groups'), {
    account_id: accountId,
    name: 'staff',
    session_lifetime_seconds: 604_800,
  })

  const [event, ...others] = await db.all<{ actor: string; snapshot: string }>('select * from events')
  t.deepEqual(others, [])
  t.like(event, { account_id: accountId, stream: 'identity', type: 'identity-created', model_id: identityId })
  t.deepEqual(JSON.parse(event?.actor ?? ''), { authMode: 'token', tokenId: 'token', identityId: null })
  t.like(JSON.parse(event?.snapshot ?? ''), { id: identityId, name: 'Ada', group: 'staff' })
  for (const secret of [password, found?.passwordHash ?? '-', 'Ada@example.com']) {
    t.false(JSON.stringify(event).includes(secret))
    t.false(logged().includes(secret))
  }
})

test('a name in use is rejected without hashing, whatever the password', async (t) => {
  const { register } = await startIdentity(t)
  await register({ name: 'Ada' })
  t.is(await nameOf(register({ name: 'ada', password: 'another password' })), 'IDENTITY_UNABLE_TO_CREATE')
  t.is(await nameOf(register({ name: 'ada', group: 'staff' })), 'registered')
  t.is(await nameOf(register({ name: 'ada', accountId: 'other' })), 'registered')
})

test.serial(
  'a registration beyond the limit of its token is rejected without hashing; without a client it is not',
  async (t) => {
    const { register } = await startIdentity(t, { LISTD_REGISTRATIONS_PER_TOKEN_AND_MINUTE: '1' })
    const clientAddress = '192.0.2.1'
    await register({ name: 'first', clientAddress })
    const { created } = watchHashing(t)
    const tooMany = { name: 'RATE_LIMIT_EXCEEDED', message: /with this API token/ }
    await t.throwsAsync(register({ name: 'second', clientAddress }), tooMany)
    await t.throwsAsync(register({ name: 'first', clientAddress }), tooMany)
    t.deepEqual(created, [])
    t.is(await nameOf(register({ name: 'second' })), 'registered')
  },
)

test('a group that requires an email, or a verified one, rejects a registration without it', async (t) => {
  const { db, register } = await startIdentity(t)
  const { identityId } = await register({ name: 'first', group: 'staff' })
  for (const column of ['require_email', 'require_verified_email']) {
    await db.run('update identity_groups set require_email = 0, require_verified_email = 0')
    await db.run(`update identity_groups set ${column} = 1`)
    t.is(await nameOf(register({ name: 'Ada', group: 'staff' })), 'IDENTITY_EMAIL_REQUIRED')
    t.is(await nameOf(register({ name: column, email: `${column}@b`, group: 'staff' })), 'registered')
    t.is(await nameOf(register({ name: column })), 'registered')
  }
  t.is((await findIdentity(db, { accountId, identityId }))?.identity.email, null)
})

test('a group may require a longer password', async (t) => {
  const { db, register } = await startIdentity(t)
  await register({ name: 'first', group: 'staff' })
  await db.run('update identity_groups set min_password_length = 30')
  const error: AppError = await register({ name: 'Ada', group: 'staff' }).then(
    () => Promise.reject(),
    (error) => error,
  )
  const message = 'needs 30 characters'
  t.is(error.name, 'VALIDATION_FAILED')
  t.deepEqual(error.details, { errors: [{ path: 'password', message, msg: message }] })
  t.is(await nameOf(register({ name: 'Ada', group: 'staff', password: 'x'.repeat(30) })), 'registered')
})

test('a repeated registration finds the identity that it created, and no other request does', async (t) => {
  const { db, natsUrl, register } = await startIdentity(t)
  const client = await rawClient(t, natsUrl)
  const key = newId()
  const actor = { authMode: 'token', tokenId: 'token', identityId: null }
  const body = { accountId, group: null, name: 'Ada', displayName: 'Ada', email: null, password, actor }
  const again = () => askWithKey(client, { subject: 'identity.register', key, body })
  t.deepEqual(await again(), { identityId: key })
  t.deepEqual(await again(), { identityId: key }, 'the process that created it died before it answered')
  t.is(await nameOf(register({ name: 'ada' })), 'IDENTITY_UNABLE_TO_CREATE')
  t.is((await db.all('select id from identities')).length, 1)
})
