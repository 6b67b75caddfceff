import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { countLoginAttempt } from '#shared/data/sign-in/login-attempts.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { identityLoginKeys } from '#shared/domain/identity/sign-in.ts'
import { until } from '../../../support/assertions/until.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { makeIdentity, makeSession, type TestSession } from '../../../support/identity/identities.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const password = 'canary-Passwort-ü'
const cleanup = afterAll()
let gateway: TestGateway
let other: TestGateway
let account: TestAccount
test.before(async () => {
  ;({ gateway, other } = await startSigningIn(cleanup))
  account = await makeAccount(gateway.deps.db)
})

type Headers = Record<string, string>
const ask = (request: Call) => call(gateway.port, { headers: account.user, ...request })
const create = (body: object, headers: Headers = account.user) =>
  ask({ method: 'POST', path: '/identities', body, headers })
const at = (ref: unknown) => `/identities/${encodeURIComponent(String(ref))}`
const read = (ref: unknown, headers: Headers = account.user) => ask({ path: at(ref), headers })
const change = (ref: unknown, body: object, headers: Headers = account.user) =>
  ask({ method: 'PUT', path: at(ref), body, headers })
const remove = (ref: unknown, headers: Headers = account.user) => ask({ method: 'DELETE', path: at(ref), headers })
const login = async (body: object) =>
  ask({ method: 'POST', path: '/identities/login', body: { password, ...body }, headers: await account.token() })
const add = (given: { group?: string; name?: string; email?: string } = {}) =>
  makeIdentity(gateway.deps.db, { accountId: account.accountId, ...given })
const self = async ({ headers }: TestSession, { port } = gateway) =>
  (await call(port, { path: '/identities/self', headers: { ...(await account.token()), ...headers } })).status
const summary = ({ status, json }: Reply) => `${status} ${json?.name}`
const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  resourceType: 'identity',
  ...rest,
})

const shown = ['id', 'createdAt', 'updatedAt', 'name', 'displayName', 'group', 'tags', 'lastLoginAt', 'activated']
const own = [...shown, 'email', 'emailVerified', 'hasPassword', 'sessionCount']
const notFound = '404 REQUESTED_ENTITY_NOT_FOUND'
const taken = '409 IDENTITY_UNABLE_TO_CREATE'

test("the account's user creates an identity with every field, and it can sign in", async (t) => {
  const given = { group: 'created', name: 'Ada', displayName: 'Ada L.', email: 'Ada@example.com', emailVerified: true }
  const created = await create({ ...given, password, tags: ['VIP', 'vip'] })
  t.is(created.status, 201)
  t.deepEqual(Object.keys(created.json ?? {}), own)
  t.like(created.json, {
    ...given,
    tags: ['vip'],
    hasPassword: true,
    activated: true,
    sessionCount: 0,
    lastLoginAt: null,
  })
  t.is((await login({ group: 'created', name: 'ada' })).status, 200)
  t.like((await read(created.json?.id)).json, { sessionCount: 1, email: 'Ada@example.com' })
})

test('an identity without a password cannot sign in, and neither can a deactivated one', async (t) => {
  const created = await create({ name: 'Nopass' })
  t.like(created.json, { displayName: 'Nopass', group: null, hasPassword: false, email: null, emailVerified: false })
  t.is(summary(await login({ name: 'Nopass' })), '401 IDENTITY_NOT_AUTHENTICATED')
  await create({ name: 'Asleep', password, activated: false })
  t.is(summary(await login({ name: 'Asleep' })), '401 IDENTITY_NOT_AUTHENTICATED')
})

test('all errors of a body are reported at once, and fields that may not be set are rejected', async (t) => {
  const wrong = { name: 'a/b', group: ' x', email: 'nobody', displayName: 'a\u202eb', password: 'short', tags: ['ä'] }
  t.deepEqual(errorPaths(await create(wrong)), [...Object.keys(wrong), 'tags.0'].filter((p) => p !== 'tags').toSorted())
  const fixed = { id: 'x', accountId: 'x', hasPassword: true, sessionCount: 1, lastLoginAt: null, createdAt: 'x' }
  t.deepEqual(errorPaths(await create({ name: 'x', ...fixed })), Object.keys(fixed).toSorted())
  const { identityId } = await add()
  t.deepEqual(
    errorPaths(await change(identityId, { ...fixed, group: 'x' })),
    [...Object.keys(fixed), 'group'].toSorted(),
  )
  t.is((await change(identityId, {})).status, 400)
  t.deepEqual(errorPaths(await change(identityId, { emailVerified: true })), ['emailVerified'])
  t.deepEqual(errorPaths(await create({ name: 'x', emailVerified: true })), ['emailVerified'])
})

test('an identity is found by id and by group/name, in any case', async (t) => {
  const [free, grouped, deep] = [
    await add({ name: 'Zoë' }),
    await add({ name: 'Zoë', group: 'staff' }),
    await add({ name: '..', group: 'a/b%2F' }),
  ]
  t.is((await read('/zoe\u0308')).json?.id, free.identityId)
  t.is((await read('staff/ZOË')).json?.id, grouped.identityId)
  t.is((await read('a/b%2F/..')).json?.id, deep.identityId)
  t.is((await read(grouped.identityId)).json?.group, 'staff')
  for (const ref of ['Zoë', 'Staff/Zoë', 'staff/', '/', 'staff/Zoe', newId(), 'a\u0000/b', `/${'x'.repeat(101)}`])
    t.is(summary(await read(ref)), notFound, ref)
})

test('only the identity itself and the user see its email and sessions', async (t) => {
  const session = await add({ email: 'canary@example.com' })
  const viewer = await account.token([allow('view'), allow('authenticate')])
  const asItself = { ...viewer, ...session.headers }
  t.deepEqual(Object.keys((await read(session.identityId)).json ?? {}), own)
  t.deepEqual(Object.keys((await read(session.identityId, asItself)).json ?? {}), own)
  t.deepEqual(Object.keys((await read(session.identityId, viewer)).json ?? {}), shown)
  const page = await ask({ path: '/identities?limit=100', headers: asItself })
  const rows = Object(page.json).data as Record<string, unknown>[]
  t.deepEqual(rows.filter((row) => 'email' in row).map(({ id }) => id), [session.identityId]) // biome-ignore format: one line
  const writer = await account.token([allow('create'), allow('update')])
  const created = await create({ name: 'By token', email: 'canary2@example.com' }, writer)
  t.deepEqual(Object.keys(created.json ?? {}), shown)
  t.deepEqual(Object.keys((await change(created.json?.id, { displayName: 'x' }, writer)).json ?? {}), shown)
  for (const query of ['order=email', 'order=sessionCount'])
    t.deepEqual(errorPaths(await ask({ path: `/identities?${query}` })), ['order'])
})

test('another email is unverified, unless the user says that it is verified', async (t) => {
  const { identityId } = await add({ email: 'one@example.com' })
  const verified = async (body: object) => (await change(identityId, body)).json?.emailVerified
  t.true(await verified({ emailVerified: true }))
  t.true(await verified({ email: 'one@example.com', displayName: 'same' }))
  t.false(await verified({ email: 'two@example.com' }))
  t.true(await verified({ email: 'three@example.com', emailVerified: true }))
  t.false(await verified({ email: null }))
})

test('a token cannot say that an email is verified', async (t) => {
  const token = await account.token()
  const { identityId } = await add({ email: 'unverified@example.com' })
  t.deepEqual(errorPaths(await change(identityId, { emailVerified: true }, token)), ['emailVerified'])
  const created = await create({ name: 'x', email: 'x@example.com', emailVerified: true }, token)
  t.deepEqual(errorPaths(created), ['emailVerified'])
})

test('a name or email that another identity of the group has is a conflict', async (t) => {
  await add({ group: 'full', name: 'First', email: 'first@example.com' })
  const { identityId } = await add({ group: 'full', name: 'Second' })
  await add({ name: 'Third' })
  t.is(summary(await create({ group: 'full', name: 'FIRST' })), taken)
  t.is(summary(await change(identityId, { name: 'first' })), taken)
  t.is(summary(await change(identityId, { email: 'FIRST@example.com' })), taken)
  t.like((await change(identityId, { name: 'third', email: 'third@example.com' })).json, { name: 'third' })
})

test('a new password ends every session, here at once and elsewhere with the message', async (t) => {
  const created = (await create({ name: 'Renewed', password })).json
  const identity = { id: String(created?.id), accountId: account.accountId, group: null, displayName: 'Renewed' }
  const sessions = [await makeSession(gateway.deps.db, identity), await makeSession(gateway.deps.db, identity)]
  for (const session of sessions) for (const where of [gateway, other]) t.is(await self(session, where), 200)
  const changed = await change(identity.id, { password: 'another long password' })
  t.is(changed.status, 200)
  t.is(changed.json?.sessionCount, 0)
  for (const session of sessions) {
    t.is(await self(session), 401)
    await until(async () => (await self(session, other)) === 401)
  }
  t.is((await login({ name: 'Renewed' })).status, 401)
  t.is((await login({ name: 'Renewed', password: 'another long password' })).status, 200)
})

test('a password that the account sets ends the wait after failed logins', async (t) => {
  const { db } = gateway.deps
  const created = (await create({ name: 'Locked out', password })).json
  const guess = () => login({ name: 'Locked out', password: 'a wrong password' })
  const key = identityLoginKeys(account.accountId, String(created?.id)).byName
  for (let n = 0; n < 4; n++) t.is((await guess()).status, 401)
  const later = Date.now() + 3_600_000 // an attempt at this time starts a wait that outlasts the test
  t.is(await countLoginAttempt(db, { key, now: later }), 0)
  t.is((await login({ name: 'Locked out' })).status, 429)
  await change(created?.id, { displayName: 'Still locked out' })
  t.is((await login({ name: 'Locked out' })).status, 429)
  await change(created?.id, { password: 'another long password' })
  t.is((await login({ name: 'Locked out', password: 'another long password' })).status, 200)
})

test('a deactivation ends every session permanently', async (t) => {
  const session = await add({ group: 'off' })
  for (const where of [gateway, other]) t.is(await self(session, where), 200)
  t.is((await change(session.identityId, { activated: false })).json?.activated, false)
  t.is(await self(session), 401)
  await until(async () => (await self(session, other)) === 401)
  t.is((await change(session.identityId, { activated: true })).json?.activated, true)
  t.is(await self(session), 401)
})

test('other changes do not end sessions', async (t) => {
  const session = await add()
  await change(session.identityId, { displayName: 'Renamed', tags: ['x'] })
  t.is(await self(session), 200)
})

test('a deleted identity is removed with its sessions, and its items have no owner', async (t) => {
  const session = await add({ name: 'Leaving' })
  const headers = { ...(await account.token()), ...session.headers }
  await ask({ method: 'POST', path: '/lists', body: { pathName: 'left' } })
  const item = await ask({ method: 'POST', path: '/lists/left/items', headers, body: { data: 1 } })
  t.is(Object(item.json?.identity).id, session.identityId)
  t.is(await self(session, other), 200)
  t.like((await ask({ path: `/lists/left/items?identityId=${session.identityId}` })).json, { total: 1 })
  t.is((await remove('/leaving')).status, 204)
  t.is(await self(session), 401)
  await until(async () => (await self(session, other)) === 401)
  t.is((await ask({ path: `/lists/left/items/${item.json?.id}` })).json?.identity, null)
  t.like((await ask({ path: `/lists/left/items?identityId=${session.identityId}` })).json, { total: 0, data: [] })
  for (const reply of [await read(session.identityId), await remove('/leaving')]) t.is(summary(reply), notFound)
  const { json } = await ask({ path: `/lists/left/items/${item.json?.id}/events` })
  t.is(Object(json).total, 1, 'no item event is sent')
  t.is((await create({ name: 'Leaving' })).status, 201, 'its name is free')
})

test('the requirements of a group apply to creates and changes', async (t) => {
  const group = 'stern'
  const { identityId } = await add({ group, email: 'stern@example.com' })
  const settings = { requireEmail: true, minPasswordLength: 12 }
  await ask({ method: 'PUT', path: `/identity-groups/${group}`, body: settings })
  t.is(summary(await create({ group, name: 'New' })), '400 IDENTITY_EMAIL_REQUIRED')
  t.deepEqual(errorPaths(await create({ group, name: 'New', email: 'n@b', password: 'elevenchars' })), ['password'])
  t.deepEqual(errorPaths(await change(identityId, { password: 'elevenchars' })), ['password'])
  t.is(summary(await change(identityId, { email: null })), '400 IDENTITY_EMAIL_REQUIRED')
  t.is((await change(identityId, { email: 'other@example.com' })).status, 200)
})

test('each change is in the event log, without email and password', async (t) => {
  const created = (await create({ name: 'Logged', email: 'canary@example.org', password })).json
  await change(created?.id, { email: 'canary@example.net', password: 'canary-Passwort-2' })
  await remove(created?.id)
  const { json, text } = await ask({ path: '/events?stream=identity&limit=100&includeSnapshot=true' })
  const events = (Object(json).data as Record<string, unknown>[]).filter(({ modelId }) => modelId === created?.id)
  t.deepEqual(
    events.map(({ type }) => type),
    ['identity-deleted', 'identity-updated', 'identity-created'],
  )
  for (const { snapshot } of events) t.like(snapshot, { id: created?.id, name: 'Logged' })
  for (const secret of ['canary@', 'canary-']) {
    t.false(text.includes(secret))
    t.false(JSON.stringify(gateway.logged()).includes(secret))
  }
})

test('the event has the differences, and without a difference nothing is written', async (t) => {
  const { identityId } = await add({ email: 'same@example.com' })
  const body = { email: ' same@example.com', tags: ['VIP'], displayName: 'Other', activated: true }
  const changed = await change(identityId, body)
  t.like(await change(identityId, body), { status: 200, text: changed.text })
  const { json } = await ask({ path: `/identities/${identityId}/events` })
  t.like(json, { total: 1, data: [{ attachments: { changed: ['tags', 'displayName'] } }] })
})

test('without NATS identities are read, changed and deleted; passwords need the identity service', async (t) => {
  const alone = await startGateway(t, { routes })
  const { accountId, user: headers } = await makeAccount(alone.deps.db)
  const { identityId } = await makeIdentity(alone.deps.db, { accountId })
  const path = `/identities/${identityId}`
  const put = (body: object) => call(alone.port, { method: 'PUT', path, headers, body })
  t.is((await put({ activated: false })).status, 200)
  t.is(summary(await put({ password: 'a new long password' })), '503 SERVICE_UNAVAILABLE')
  t.is((await call(alone.port, { method: 'DELETE', path, headers })).status, 204)
})
