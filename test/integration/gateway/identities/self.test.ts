import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { until } from '../../../support/assertions/until.ts'
import { addList } from '../../../support/databases/contents/lists.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity } from '../../../support/identity/identities.ts'
import { firstPassword, ownAccount, type Registered, summary } from '../../../support/identity/own-account.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
})

const rejected = '401 IDENTITY_NOT_AUTHENTICATED'
const path = '/identities/self'
const get = ({ headers }: Pick<Registered, 'headers'>, { port } = gateway) => call(port, { path, headers })
const put = ({ headers }: Pick<Registered, 'headers'>, body?: object) =>
  call(gateway.port, { method: 'PUT', path, headers, body })
const remove = ({ headers }: Pick<Registered, 'headers'>) => call(gateway.port, { method: 'DELETE', path, headers })
const secondPassword = 'canary-password-two'
/** The same identity in another of its sessions. */
const inSession = ({ headers }: Registered, { json }: Reply) => ({
  headers: { ...headers, 'x-identity-token': String(json?.token) },
})

test('an identity changes its name and its display name, without its password', async (t) => {
  const { register, login, events } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada', group: 'staff', email: 'ada@example.com' })
  const changed = await put(ada, { name: ' Grace ', displayName: 'G. H.' })
  t.is(changed.status, 200)
  t.like(changed.json, { id: ada.id, name: 'Grace', displayName: 'G. H.', group: 'staff', email: 'ada@example.com' })
  t.like((await get(ada)).json, { name: 'Grace', displayName: 'G. H.' })
  t.is((await login({ name: 'grace', group: 'staff' })).status, 200)
  t.is(summary(await login({ name: 'Ada', group: 'staff' })), rejected)
  const [entry] = await events()
  t.like(entry, { type: 'identity-updated', modelId: ada.id, attachments: { changed: ['name', 'displayName'] } })
  t.like(entry?.actor, { authMode: 'token', identityId: ada.id })
})

test('a change to the same values succeeds and is not recorded', async (t) => {
  const { register, events } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada', email: 'ada@example.com' })
  t.is((await put(ada, { name: 'Ada', email: ' ada@example.com' })).status, 200)
  t.deepEqual(await events(), [])
})

test('a name or email that another identity of the group has is a conflict, and changes nothing', async (t) => {
  const { register } = await ownAccount(gateway)
  await register({ name: 'Taken', email: 'taken@example.com' })
  await register({ name: 'Free', group: 'elsewhere' })
  const ada = await register({ name: 'Ada' })
  const taken = '409 IDENTITY_UNABLE_TO_CREATE'
  t.is(summary(await put(ada, { displayName: 'X', name: 'TAKEN' })), taken)
  for (let n = 0; n < 6; n++) {
    // A correct password is not counted as an attempt.
    t.is(summary(await put(ada, { email: 'TAKEN@example.com', currentPassword: firstPassword })), taken)
  }
  t.like((await get(ada)).json, { name: 'Ada', displayName: 'Ada', email: null })
  t.is((await put(ada, { name: 'Free' })).status, 200)
  t.is((await put(ada, { name: 'FREE' })).json?.name, 'FREE')
})

test('a change must name something, and all errors are reported at once', async (t) => {
  const { register } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  for (const body of [{}, { currentPassword: firstPassword }]) {
    t.is(summary(await put(ada, body)), '400 VALIDATION_FAILED')
  }
  t.is(summary(await put(ada)), '400 VALIDATION_FAILED')
  const wrong = { name: 'a/b', displayName: '', email: 'nobody', password: 'short', currentPassword: 7 }
  t.deepEqual(errorPaths(await put(ada, wrong)), Object.keys(wrong).toSorted())
  const assigned = {
    group: 'x',
    activated: true,
    emailVerified: true,
    tags: [],
    accountId: 'x',
    id: 'x',
    identityId: 'x',
  }
  t.deepEqual(errorPaths(await put(ada, { name: 'X', ...assigned })), Object.keys(assigned).toSorted())
})

test('the email and the password are changed only with the current password', async (t) => {
  const { register } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada', email: 'ada@example.com' })
  for (const change of [{ email: 'new@example.com' }, { email: null }, { password: secondPassword }]) {
    for (const proof of [{}, { currentPassword: '' }]) {
      t.is(summary(await put(ada, { name: 'X', ...change, ...proof })), rejected, JSON.stringify([change, proof]))
    }
    await gateway.deps.db.run('delete from login_attempts')
  }
  t.is(summary(await put(ada, { email: 'new@example.com', currentPassword: secondPassword })), rejected)
  t.like((await get(ada)).json, { name: 'Ada', email: 'ada@example.com' })
  const removed = await put(ada, { email: null, currentPassword: firstPassword })
  t.like(removed.json, { email: null, emailVerified: false })
})

test('a current password that is missing and one that is wrong are different errors', async (t) => {
  const { register } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  const message = async (proof: object) => (await put(ada, { password: secondPassword, ...proof })).json?.message
  t.is(await message({ currentPassword: 'wrong' }), 'The current password is not correct.')
  t.regex(String(await message({})), /give the current password in currentPassword/)
})

test('wrong current passwords count as failed logins of the identity, and a correct one clears the count', async (t) => {
  const { register, login } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  const change = (currentPassword: string) => put(ada, { email: 'ada@example.com', currentPassword })
  for (let n = 0; n < 2; n++) {
    t.is(summary(await change('wrong')), rejected)
    t.is(summary(await login({ name: 'Ada', password: 'wrong' })), rejected)
  }
  t.is((await change(firstPassword)).status, 200)
  for (let n = 0; n < 5; n++) t.is(summary(await put(ada, { email: null, currentPassword: 'wrong' })), rejected)
  await gateway.deps.db.run('update login_attempts set blocked_until = blocked_until + 60000 where failures >= 5')
  const waits = await put(ada, { email: null, currentPassword: firstPassword })
  t.is(summary(waits), '429 IDENTITY_TOO_MANY_ATTEMPTS')
  atLeast(t, Number(waits.headers['retry-after']), 31, 'retry-after')
  t.is(summary(await login({ name: 'Ada' })), '429 IDENTITY_TOO_MANY_ATTEMPTS')
  t.is((await put(ada, { name: 'Not guarded' })).status, 200)
})

test('a new password ends every other session, here at once and elsewhere with the message', async (t) => {
  const { register, login, events } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  const bystander = await register({ name: 'Bystander' })
  const second = inSession(ada, await login({ name: 'Ada' }))
  for (const at of [gateway, other]) t.is((await get(second, at)).status, 200)
  const changed = await put(ada, { password: secondPassword, currentPassword: firstPassword })
  t.is(changed.status, 200)
  t.is(changed.json?.sessionCount, 1)
  t.is(summary(await get(second)), rejected)
  await until(async () => (await get(second, other)).status === 401)
  for (const at of [gateway, other]) t.is((await get(ada, at)).status, 200)
  t.is((await get(bystander)).status, 200)
  t.is(summary(await login({ name: 'Ada' })), rejected)
  t.is((await login({ name: 'Ada', password: secondPassword })).status, 200)
  t.like((await events())[0], { type: 'identity-updated', attachments: { changed: ['password'] } })
})

test('a group requires a longer password and keeps an email that it requires', async (t) => {
  const { register, accountId } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada', group: 'strict', email: 'ada@example.com' })
  const settings = 'update identity_groups set require_email = 1, min_password_length = 20 where account_id = ?'
  await gateway.deps.db.run(settings, [accountId])
  const short = await put(ada, { password: 'x'.repeat(19), currentPassword: firstPassword })
  t.deepEqual(errorPaths(short), ['password'])
  t.is(summary(await put(ada, { email: null, currentPassword: firstPassword })), '400 IDENTITY_EMAIL_REQUIRED')
  t.is((await put(ada, { password: 'x'.repeat(20), currentPassword: firstPassword })).status, 200)
})

test('an identity that deletes itself is removed with its sessions; its items stay, without an owner', async (t) => {
  const { register, login, ask, user, accountId, events } = await ownAccount(gateway)
  await addList(gateway.deps.db, accountId)
  const ada = await register({ name: 'Ada', group: 'staff' })
  const second = inSession(ada, await login({ name: 'Ada', group: 'staff' }))
  const items = '/lists/recipes/items'
  const item = await ask({ method: 'POST', path: items, headers: ada.headers, body: { data: {} } })
  t.like(item.json?.identity, { id: ada.id })
  for (const at of [gateway, other]) t.is((await get(second, at)).status, 200)
  const { status, text } = await remove(ada)
  t.is(`${status}${text}`, '204')
  for (const session of [ada, second]) t.is(summary(await get(session)), rejected)
  await until(async () => (await get(second, other)).status === 401)
  t.is(summary(await login({ name: 'Ada', group: 'staff' })), rejected)
  t.is(summary(await remove(ada)), rejected)
  const left = await ask({ path: `${items}/${item.json?.id}`, headers: user })
  t.is(left.json?.identity, null)
  t.is(left.json?.updatedAt, item.json?.updatedAt)
  const itemEvents = await ask({ path: '/events?stream=item', headers: user })
  t.is(itemEvents.json?.total, 1)
  t.like((await events())[0], { type: 'identity-deleted', modelId: ada.id, snapshot: { name: 'Ada', group: 'staff' } })
  t.is((await register({ name: 'Ada', group: 'staff' })).id === ada.id, false)
})

const sessionsOf = ({ headers }: Pick<Registered, 'headers'>, query = '') =>
  call(gateway.port, { path: `${path}/sessions${query}`, headers })
const ids = ({ json }: Reply) => ((json?.data ?? []) as { id: string }[]).map(({ id }) => id)

test('an identity sees its own live sessions, newest first, page by page', async (t) => {
  const { register, login } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  await register({ name: 'Bystander' })
  for (let n = 0; n < 3; n++) await login({ name: 'Ada' })
  const all = await sessionsOf(ada)
  t.like(all.json, { page: 1, limit: 20, total: 4 })
  const data = all.json?.data as Record<string, unknown>[]
  t.deepEqual(Object.keys(data[0] ?? {}), ['id', 'createdAt', 'lastUsedAt', 'expiresAt', 'current'])
  t.deepEqual(
    data.map(({ current }) => current),
    [false, false, false, true],
  )
  t.deepEqual(ids(await sessionsOf(ada, '?limit=2&page=2')), ids(all).slice(2))
  const first = await sessionsOf(ada, '?limit=3&after=')
  t.deepEqual(ids(first), ids(all).slice(0, 3))
  const last = await sessionsOf(ada, `?limit=3&after=${first.json?.next}`)
  t.deepEqual([ids(last), last.json?.next], [ids(all).slice(3), null])
  t.deepEqual(ids(await sessionsOf(ada, '?direction=asc')), ids(all).toReversed())
  t.is((await sessionsOf(ada, '?order=lastUsedAt')).status, 200)
  t.deepEqual(errorPaths(await sessionsOf(ada, '?order=token&limit=0')), ['limit', 'order'])
  await gateway.deps.db.run('update sessions set expires_at = 1 where id = ?', [ids(all)[0]])
  t.deepEqual(ids(await sessionsOf(ada)), ids(all).slice(1))
})

test('an identity ends its own sessions, here at once and elsewhere with the message, and no others', async (t) => {
  const { register, login } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  const second = inSession(ada, await login({ name: 'Ada' }))
  const bystander = await register({ name: 'Bystander' })
  const end = (id: string | undefined) =>
    call(gateway.port, { method: 'DELETE', path: `${path}/sessions/${id}`, headers: ada.headers })
  const show = (id: string | undefined) => call(gateway.port, { path: `${path}/sessions/${id}`, headers: ada.headers })
  const all = await sessionsOf(ada)
  const [secondId, ownId] = ids(all)
  t.deepEqual([(await show(secondId)).json, (await show(ownId)).json], all.json?.data)
  t.is((await get(second, other)).status, 200)
  t.is((await end(secondId)).status, 204)
  t.is(summary(await get(second)), rejected)
  await until(async () => (await get(second, other)).status === 401)
  const notFound = '404 REQUESTED_ENTITY_NOT_FOUND'
  for (const id of [secondId, ids(await sessionsOf(bystander))[0], newId(), 'x', '%00']) {
    t.is(summary(await end(id)), notFound, id)
    t.is(summary(await show(id)), notFound, id)
  }
  t.is((await get(bystander)).status, 200)
  t.is((await end(ownId)).status, 204)
  t.is(summary(await get(ada)), rejected)
})

test('an identity ends all its sessions, including the current one', async (t) => {
  const { register, login } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada' })
  const second = inSession(ada, await login({ name: 'Ada' }))
  const bystander = await register({ name: 'Bystander' })
  t.is((await get(second, other)).status, 200)
  t.is(summary(await call(gateway.port, { method: 'DELETE', path: `${path}/sessions`, headers: ada.headers })), '204')
  for (const session of [ada, second]) t.is(summary(await get(session)), rejected)
  await until(async () => (await get(second, other)).status === 401)
  t.is((await get(bystander)).status, 200)
})

test('a caller that is not an identity cannot change, delete or list itself', async (t) => {
  const { user, token } = await ownAccount(gateway)
  for (const headers of [user, await token()]) {
    t.is(summary(await put({ headers }, { name: 'X' })), rejected)
    t.is(summary(await remove({ headers })), rejected)
    t.is(summary(await sessionsOf({ headers })), rejected)
  }
})

test('the log and the event log contain no password, token or email', async (t) => {
  const { register, events } = await ownAccount(gateway)
  const ada = await register({ name: 'Ada', email: 'canary@example.com' })
  await put(ada, { password: secondPassword, currentPassword: 'canary-guess' })
  await put(ada, { password: secondPassword, email: 'canary2@example.com', currentPassword: firstPassword })
  await remove(ada)
  const reported = JSON.stringify([gateway.logged(), await events()])
  for (const secret of ['canary', ada.token, 'argon2']) t.false(reported.includes(secret), secret)
})

test('without NATS an identity is deleted and its sessions are ended; a change is 503', async (t) => {
  const alone = await startGateway(t, { routes })
  const { accountId, token } = await makeAccount(alone.deps.db)
  const { headers } = await makeIdentity(alone.deps.db, { accountId })
  const credentials = { ...headers, ...(await token()) }
  const ask = (method: string, body?: object) => call(alone.port, { method, path, headers: credentials, body })
  t.is(summary(await ask('PUT', { name: 'X' })), '503 SERVICE_UNAVAILABLE')
  t.is(summary(await ask('DELETE')), '204')
  t.is(summary(await ask('GET')), rejected)
})
