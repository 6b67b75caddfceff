import test from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { newId } from '#shared/crypto/ids.ts'
import { hashPassword } from '#shared/crypto/password.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { createAccount } from '#shared/data/accounts/accounts.ts'
import { findTokenByHash } from '#shared/data/tokens/tokens.ts'
import { createUser } from '#shared/data/users/users.ts'
import { until } from '../../../support/assertions/until.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { type Call, call, type Reply } from '../../../support/http/client.ts'
import { sharedSettings, startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'
import type { NatsServer } from '../../../support/nats/nats.ts'
import { commandsOn } from '../../../support/processes/command-line.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const password = 'canary-Passwort-ü'
const accountId = newId()

const cleanup = afterAll()
let nats: NatsServer
let gateway: TestGateway
let other: TestGateway
let passwordHash: string
test.before(async () => {
  ;({ nats, gateway, other } = await startSigningIn(cleanup))
  const { config, db } = gateway.deps
  passwordHash = await hashPassword(password, config.passwords)
  await createAccount(db, { id: accountId, name: 'Ada', plan: 'scale', now: Date.now() })
})

const ask = (request: Call) => call(gateway.port, request)
const login = (body: unknown, headers = {}) => ask({ method: 'POST', path: '/auth/login', body, headers })
const bearer = ({ json }: Reply) => ({ authorization: `Bearer ${json?.token}` })
const logout = (headers: Record<string, string>) => ask({ method: 'POST', path: '/auth/logout', headers })
const self = (headers: Record<string, string>, port = gateway.port) => call(port, { path: '/auth/self', headers })

/** A new user for each test, because logins in progress count for their email, and a sixth concurrent one would have to wait. */
async function makeUser(email = `${newId()}@listd.example`): Promise<{ email: string; password: string }> {
  await createUser(gateway.deps.db, { id: newId(), accountId, email, passwordHash, now: Date.now() })
  return { email, password }
}

test('a login returns the user, the account and a session, as token and as cookie', async (t) => {
  const { email } = await makeUser('Ada@listd.example')
  const signedIn = await login({ email: ' ada@LISTD.example', password })
  t.is(signedIn.status, 200)
  const { user, account, token, expiresAt, ...rest } = signedIn.json ?? {}
  t.deepEqual(rest, {})
  t.like(user, { email })
  t.deepEqual(Object.keys(user as object), ['id', 'createdAt', 'updatedAt', 'email', 'displayName', 'lastLoginAt'])
  t.like(account, { name: 'Ada', plan: 'scale' })
  t.regex(String(expiresAt), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  const [cookie, ...attributes] = String(signedIn.headers['set-cookie']).split('; ')
  t.is(cookie, `service_session=${token}`)
  t.deepEqual(
    attributes.filter((name) => !name.startsWith('Max-Age')),
    ['Path=/', 'HttpOnly', 'SameSite=Lax'],
  )

  for (const headers of [bearer(signedIn), { cookie: String(cookie) }]) {
    t.like((await self(headers)).json, { user, account })
  }
})

test('over https the cookie is secure', async (t) => {
  const { config } = gateway.deps
  const secure = await startGateway(t, {
    routes,
    natsUrl: nats.url,
    env: {
      ...sharedSettings(config),
      LISTD_GATEWAY_PUBLIC_URL: 'https://lists.example',
    },
  })
  await until(async () => secure.deps.bus.connected())
  const body = await makeUser()
  const { headers } = await call(secure.port, { method: 'POST', path: '/auth/login', body })
  t.regex(String(headers['set-cookie']), /; Secure$/)
})

test('every failed login has the same answer', async (t) => {
  const { email } = await makeUser()
  const wrong = [
    { email, password: 'wrong' },
    { email: 'nobody@listd.example', password },
    { email: 'no address', password: 'x' },
  ]
  const answers = await Promise.all(wrong.map((body) => login(body)))
  const shown = answers.map(({ status, json, headers }) => {
    const { requestId, ...body } = json ?? {}
    const { 'x-request-id': _, date, ...others } = headers
    return { status, body, others }
  })
  t.like(shown[0], { status: 401, body: { name: 'USER_NOT_AUTHENTICATED' } })
  t.deepEqual(shown[1], shown[0])
  t.deepEqual(shown[2], shown[0])
  t.is(answers[0]?.headers['set-cookie'], undefined)
})

test('a login needs both texts and nothing else', async (t) => {
  const paths = async (body: unknown) => {
    const rejected = await login(body)
    t.is(rejected.status, 400)
    return errorPaths(rejected)
  }
  t.deepEqual(await paths({ email: ['ada@listd.example'], accountId: 'x' }), ['accountId', 'email', 'password'])
  t.deepEqual(await paths({ email: '', password: null }), ['email', 'password'])
})

test('stale credentials do not prevent a login', async (t) => {
  const stale = { authorization: 'Bearer gone', cookie: 'service_session=gone', 'x-api-token': 'gone' }
  t.is((await login(await makeUser(), stale)).status, 200)
})

test('a logout ends the session everywhere, and can be repeated', async (t) => {
  const session = bearer(await login(await makeUser()))
  t.is((await self(session)).status, 200)
  t.is((await self(session, other.port)).status, 200)
  const ended = await logout(session)
  t.is(ended.status, 204)
  t.regex(String(ended.headers['set-cookie']), /^service_session=; Path=\/; Max-Age=0/)
  t.is((await self(session)).status, 401)
  await until(async () => (await self(session, other.port)).status === 401)
  t.is((await logout(session)).status, 204)
})

test('a caller without a session cannot end one', async (t) => {
  t.is((await logout({})).status, 401)
  t.is((await logout({ authorization: 'Bearer nonsense' })).status, 401)
  const account = await makeAccount(gateway.deps.db)
  t.like(await logout(await account.token()), { status: 403, json: { name: 'USER_MODE_REQUIRED' } })
  const { authorization } = account.user
  const cookie = `service_session=${String(authorization).slice('Bearer '.length)}`
  t.like(await logout({ cookie }), { status: 403, json: { name: 'CROSS_SITE_REQUEST' } })
  t.is((await self(account.user)).status, 200)
})

test('the use of an API token is recorded, but not that of a rejected one', async (t) => {
  const { db } = gateway.deps
  const account = await makeAccount(db)
  const [used, expired] = [await account.token(), await account.token()]
  const find = (token: Record<string, string>) => findTokenByHash(db, tokenHash(String(token['x-api-token'])))
  await db.run('update tokens set expires_at = 1 where id = ?', [(await find(expired))?.id])
  const begunAt = Date.now()
  t.is((await ask({ path: '/lists', headers: used })).status, 200)
  t.is((await ask({ path: '/lists', headers: expired })).status, 401)
  await until(async () => ((await find(used))?.lastUsedAt ?? 0) >= begunAt, { what: 'the last use to be stored' })
  t.is((await find(expired))?.lastUsedAt, null)
})

test('a revoked API token is rejected as soon as the message arrives', async (t) => {
  const account = await makeAccount(gateway.deps.db)
  const token = await account.token()
  const use = () => ask({ method: 'POST', path: '/sync-schema', headers: token, body: { lists: {} } })
  t.is((await use()).status, 200)
  const hash = tokenHash(String(token['x-api-token']))
  await gateway.deps.db.run('delete from tokens where token_hash = ?', [hash])
  other.deps.bus.broadcast('revoked', { tokenHash: hash })
  await until(async () => (await use()).status === 401)
  t.pass()
})

test('a command that ends sessions, or locks a token, notifies the running gateways, and says so', async (t) => {
  const { db, config } = gateway.deps
  const run = commandsOn(config.dataDir)
  const user = await makeUser()
  const session = bearer(await login(user))
  const token = await (await makeAccount(db)).token()
  const value = String(token['x-api-token'])
  const { id = '', accountId: owner = '' } = (await findTokenByHash(db, tokenHash(value))) ?? {}
  const use = (port: number) => call(port, { path: '/lists', headers: token })
  for (const { port } of [gateway, other])
    t.deepEqual([(await self(session, port)).status, (await use(port)).status], [200, 200])

  const args = ['user', 'set-password', '--password-stdin', '--email', user.email]
  const env = { LISTD_NATS_URL: nats.url, LISTD_NATS_PREFIX: config.nats.prefix }
  t.regex(
    (await run(args, { input: password, env })).stderr,
    /Ended one session; running gateways have been notified\.\n$/,
  )
  const locked = await run(['token', 'lock', '--token', id, '--account', owner], { env })
  t.regex(locked.stderr, /is locked; running gateways have been notified\.\n$/)
  for (const { port } of [gateway, other]) {
    await until(async () => (await self(session, port)).status === 401)
    await until(async () => (await use(port)).status === 401)
  }
  const unlocked = await run(['token', 'unlock', '--token', id, '--account', owner])
  t.regex(unlocked.stderr, /is unlocked; a running gateway notices within 5 seconds\.\n$/)
})

test('no password, token or cookie is ever logged', async (t) => {
  const user = await makeUser()
  const { json } = await login(user, { 'x-api-token': generateToken('api') })
  const log = JSON.stringify([...gateway.logged(), ...other.logged()])
  for (const secret of [password, 'canary', String(json?.token), user.email]) t.false(log.includes(secret), secret)
})

test('without NATS a login is 503, a logout works', async (t) => {
  const alone = await startGateway(t, { routes })
  const body = { email: 'ada@listd.example', password }
  const rejected = await call(alone.port, { method: 'POST', path: '/auth/login', body })
  t.like(rejected, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.is(rejected.headers['retry-after'], '1')
  const { user } = await makeAccount(alone.deps.db)
  t.is((await self(user, alone.port)).status, 200)
  t.is((await call(alone.port, { method: 'POST', path: '/auth/logout', headers: user })).status, 204)
  t.is((await self(user, alone.port)).status, 401)
})
