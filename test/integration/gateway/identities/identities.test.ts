import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { generateToken } from '#shared/crypto/token.ts'
import type { PermissionRule } from '#shared/domain/access/permission-rule.ts'
import { atLeast } from '../../../support/assertions/bounds.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const password = 'canary-Passwort-ü'
const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let token: Record<string, string>
test.before(async () => {
  ;({ gateway } = await startSigningIn(cleanup, { LISTD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' }))
  account = await makeAccount(gateway.deps.db)
  token = await account.token()
})

const ask = (request: Call) => call(gateway.port, { headers: token, ...request })
const register = (body: object, headers: Record<string, string> = token) =>
  ask({ method: 'POST', path: '/identities/register', body: { password, ...body }, headers })
const login = (body: object, headers: Record<string, string> = token) =>
  ask({ method: 'POST', path: '/identities/login', body: { password, ...body }, headers })

const shown = [
  'id',
  'createdAt',
  'updatedAt',
  'name',
  'displayName',
  'group',
  'tags',
  'lastLoginAt',
  'activated',
  'email',
  'emailVerified',
  'hasPassword',
  'sessionCount',
]
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const summary = ({ status, json }: Reply) => `${status} ${json?.name}`

test('a registration returns the identity and no token', async (t) => {
  const created = await register({ group: 'staff', name: ' Ada ', displayName: 'Ada L.', email: 'Ada@Example.com' })
  t.is(created.status, 201)
  t.deepEqual(Object.keys(created.json ?? {}), shown)
  t.like(created.json, {
    name: 'Ada',
    displayName: 'Ada L.',
    group: 'staff',
    email: 'Ada@Example.com',
    emailVerified: false,
    hasPassword: true,
    sessionCount: 0,
    lastLoginAt: null,
    activated: true,
    tags: [],
  })
  t.regex(String(created.json?.createdAt), time)
})

test('a client that requests the providers to offer gets none, even with an expired identity token', async (t) => {
  const headers = { ...token, 'x-identity-token': generateToken('identity') }
  const reply = await ask({ path: '/identities/oauth/providers?group=staff', headers })
  t.deepEqual([reply.status, reply.json], [200, []] as unknown)
})

test('one address registers a limited number of identities a minute; others, and the account itself, are not limited', async (t) => {
  const from = (address: string, credentials = token) => ({ ...credentials, 'x-forwarded-for': address })
  const again = () => register({ name: 'Eager' }, from('2001:db8::1'))
  t.is((await again()).status, 201)
  let rejected = await again()
  for (let n = 0; n < 1_000 && rejected.status === 409; n++) rejected = await again()
  t.is(summary(rejected), '429 RATE_LIMIT_EXCEEDED')
  atLeast(t, Number(rejected.headers['retry-after']), 1, 'retry-after')
  t.is((await register({ name: 'Next door' }, from('2001:db8:0:1::1'))).status, 201)
  const byUser = from('2001:db8::1', account.user)
  t.is((await register({ name: 'Invited' }, byUser)).status, 201)
  const created = await ask({ method: 'POST', path: '/identities', body: { name: 'Created' }, headers: byUser })
  t.is(created.status, 201)
})

test('without a group an identity is in the ungrouped space, and shown by its name', async (t) => {
  const created = await register({ name: 'Plain' })
  t.like(created.json, { name: 'Plain', displayName: 'Plain', group: null, email: null })
})

test('a name or email in use is a conflict only within the group', async (t) => {
  await register({ name: 'Taken', email: 'taken@example.com', group: 'one' })
  t.is(summary(await register({ name: 'TAKEN', group: 'one' })), '409 IDENTITY_UNABLE_TO_CREATE')
  const sameEmail = { name: 'x', email: 'TAKEN@example.com', group: 'one' }
  t.like((await register(sameEmail)).json, { name: 'IDENTITY_UNABLE_TO_CREATE', code: 20_003 })
  t.is((await register({ name: 'Taken', email: 'taken@example.com', group: 'two' })).status, 201)
})

test('all errors of a registration are reported at once, and fields that the caller may not set are rejected', async (t) => {
  const rejected = await register({ name: 'a/b', group: ' x', email: 'nobody', displayName: '', password: 'short' })
  t.is(rejected.status, 400)
  t.deepEqual(errorPaths(rejected), ['displayName', 'email', 'group', 'name', 'password'])
  t.false(rejected.text.includes('short'))
  const properties = { accountId: 'x', activated: true, emailVerified: true, tags: [], id: 'x', permitted: true }
  const assigned = await register({ name: 'a', ...properties })
  t.deepEqual(errorPaths(assigned), Object.keys(properties).toSorted())
  const types = await register({ name: 7, group: null, email: ['a@b', 'c@d'], password: null })
  t.deepEqual(errorPaths(types), ['email', 'group', 'name', 'password'])
  const empty = { name: '', group: '', email: '', displayName: '', password: '' }
  t.deepEqual(errorPaths(await register(empty)), Object.keys(empty).toSorted())
  const missing = await ask({ method: 'POST', path: '/identities/register', body: {} })
  t.deepEqual(errorPaths(missing), ['name', 'password'])
})

test("a login returns the identity's fields and a token in one flat object", async (t) => {
  await register({ group: 'staff', name: 'Grace', email: 'grace@example.com' })
  for (const named of [{ name: 'GRACE' }, { email: 'Grace@Example.com' }]) {
    const signedIn = await login({ group: 'staff', ...named })
    t.is(signedIn.status, 200)
    t.deepEqual(Object.keys(signedIn.json ?? {}), [...shown, 'token', 'expiresAt'])
    t.like(signedIn.json, { name: 'Grace', group: 'staff', email: 'grace@example.com' })
    t.regex(String(signedIn.json?.lastLoginAt), time)
    t.regex(String(signedIn.json?.expiresAt), time)
    t.is(signedIn.headers['set-cookie'], undefined)
  }
  t.is((await login({ group: 'staff', name: 'Grace' })).json?.sessionCount, 3)
})

test('a login that the token may not perform, or with an impossible name, gets the same answer as a wrong password', async (t) => {
  await register({ group: 'fail', name: 'Real' })
  const staffOnly = await account.token([{ mode: 'allow', action: 'authenticate', groups: ['staff'] }])
  const answers = await Promise.all([
    login({ group: 'fail', name: 'Real', password: 'canary-password' }),
    login({ group: '', name: 'a/b' }),
    login({ group: 'fail', name: 'Real' }, staffOnly),
    login({ group: 'fail', name: 'Real' }, await (await makeAccount(gateway.deps.db)).token()),
  ])
  const reported = answers.map(({ status, json, headers }) => {
    const { requestId, ...body } = json ?? {}
    const { 'x-request-id': _, date, ...others } = headers
    return { status, body, others }
  })
  t.like(reported[0], { status: 401, body: { name: 'IDENTITY_NOT_AUTHENTICATED', code: 20_008 } })
  for (const other of reported) t.deepEqual(other, reported[0])
})

test('a login names an identity by name or by email', async (t) => {
  for (const named of [
    {},
    { name: 'Ada', email: 'ada@example.com' },
    { name: 'Ada', accountId: 'x' },
    { name: ['Ada'] },
  ]) {
    t.is(summary(await login(named)), '400 VALIDATION_FAILED', JSON.stringify(named))
  }
  t.deepEqual(errorPaths(await login({ name: 1, password: 2, group: 3 })), ['group', 'name', 'password'])
})

test.serial('a name with a wait gets the time in retry-after', async (t) => {
  await register({ name: 'Guessed' })
  await login({ name: 'Guessed', password: 'guess' })
  // As if this login and all others had failed 12 times, so that the wait outlasts a slow machine.
  await gateway.deps.db.run('update login_attempts set failures = 12 where failures = 1')
  await login({ name: 'Guessed', password: 'another guess' })
  const rejected = await login({ name: 'guessed' })
  t.like(rejected.json, { name: 'IDENTITY_TOO_MANY_ATTEMPTS', code: 20_009 })
  t.is(rejected.status, 429)
  atLeast(t, Number(rejected.headers['retry-after']), 31, 'retry-after')
  t.is((await register({ name: 'Somebody else' })).status, 201)
})

test('if a verified email is required, registration requires one and login its verification', async (t) => {
  await register({ group: 'strict', name: 'First', email: 'first@example.com' })
  await gateway.deps.db.run("update identity_groups set require_verified_email = 1 where name = 'strict'")
  t.is(summary(await register({ group: 'strict', name: 'Second' })), '400 IDENTITY_EMAIL_REQUIRED')
  t.is(summary(await login({ group: 'strict', name: 'First' })), '403 IDENTITY_EMAIL_NOT_VERIFIED')
  t.is(summary(await login({ group: 'strict', name: 'First', password: 'wrong' })), '401 IDENTITY_NOT_AUTHENTICATED')
})

test('identity headers are ignored when registering and signing in', async (t) => {
  const stale = { ...token, 'x-identity-token': 'stale', 'x-identity-group': 'gone' }
  t.is((await register({ name: 'Stale' }, stale)).status, 201)
  t.is((await login({ name: 'Stale' }, stale)).status, 200)
  const ended = { ...token, 'x-identity-token': generateToken('identity') }
  t.is((await login({ name: 'Stale' }, ended)).status, 200)
  t.is((await login({ name: 'Stale' }, { ...account.user, 'x-identity-token': 'stale' })).status, 200)
})

const allow = (action: PermissionRule['action'], rest: Partial<PermissionRule> = {}): PermissionRule => ({
  mode: 'allow',
  action,
  ...rest,
})

test('registering and signing in each need their permission', async (t) => {
  const registers = await account.token([allow('register')])
  const authenticates = await account.token([allow('authenticate')])
  t.is((await register({ name: 'Permitted' }, registers)).status, 201)
  t.is(summary(await register({ name: 'x' }, authenticates)), '403 TOKEN_NOT_AUTHORIZED')
  t.is((await login({ name: 'Permitted' }, authenticates)).status, 200)
  for (const headers of [registers, await account.token([])]) {
    t.is(summary(await login({ name: 'Permitted' }, headers)), '403 TOKEN_NOT_AUTHORIZED')
    t.is(summary(await login({ name: 'Nobody' }, headers)), '403 TOKEN_NOT_AUTHORIZED')
  }
})

test('permissions apply to the groups and identities that they name', async (t) => {
  const id = String((await register({ name: 'Chosen', group: 'one' })).json?.id)
  await register({ name: 'Other', group: 'one' })
  const one = await account.token([allow('register', { groups: ['one'] })])
  t.is((await register({ name: 'New', group: 'one' }, one)).status, 201)
  for (const group of [{ group: 'two' }, {}]) {
    t.is(summary(await register({ name: 'New', ...group }, one)), '404 REQUESTED_ENTITY_NOT_FOUND')
  }
  const chosen = await account.token([allow('authenticate', { identityIds: [id] })])
  t.is((await login({ name: 'chosen', group: 'one' }, chosen)).status, 200)
  t.is((await login({ name: 'other', group: 'one' }, chosen)).status, 401)
})

test('a signed-in user may register and sign in; a caller without credentials may not', async (t) => {
  t.is((await register({ name: 'By a user' }, account.user)).status, 201)
  t.is((await login({ name: 'By a user' }, account.user)).status, 200)
  t.is(summary(await register({ name: 'x' }, {})), '401 USER_NOT_AUTHENTICATED')
  t.is(summary(await login({ name: 'x' }, {})), '401 USER_NOT_AUTHENTICATED')
})

test('without NATS registering and signing in are 503', async (t) => {
  const alone = await startGateway(t, { routes })
  const headers = await (await makeAccount(alone.deps.db)).token()
  for (const path of ['/identities/register', '/identities/login']) {
    const rejected = await call(alone.port, { method: 'POST', path, headers, body: { name: 'Ada', password } })
    t.is(summary(rejected), '503 SERVICE_UNAVAILABLE')
    t.is(rejected.headers['retry-after'], '1')
  }
})
