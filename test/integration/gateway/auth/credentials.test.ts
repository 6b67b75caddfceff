import test from 'ava'
import { ok } from '#services/gateway/request/response.ts'
import type { Route } from '#services/gateway/request/route.ts'
import { newId } from '#shared/crypto/ids.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'
import { createToken, type NewToken } from '#shared/data/tokens/tokens.ts'
import { makeAccount, type TestAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { testRoute } from '../../../support/http/test-route.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const answer: Route['handle'] = async ({ principal: { mode }, clientAddress }) => ok({ mode, clientAddress })
const permissions = ['public', 'authenticated', 'user'] as const
const routes = permissions.flatMap((permission) => [
  testRoute({ method: 'GET', path: `/${permission}`, permission, handle: answer }),
  testRoute({ method: 'POST', path: `/${permission}`, permission, handle: answer }),
])

const cleanup = afterAll()
let gateway: TestGateway
let account: TestAccount
let session: string
let api: string
test.before(async () => {
  gateway = await startGateway(cleanup, { routes, env: { LISTD_GATEWAY_TRUSTED_PROXIES: '127.0.0.1' } })
  account = await makeAccount(gateway.deps.db)
  session = String(account.user.authorization).slice('Bearer '.length)
  api = String((await account.token())['x-api-token'])
})

const ask = (request: Call) => call(gateway.port, request)

type Scenario = {
  headers(): Record<string, string> | string[]
  /** The answer of GET on a route for any authenticated caller; `user`: on one for users only. */
  authenticated: string
  user: string
}

const unknown = '401 USER_NOT_AUTHENTICATED'
const scenarios: Record<string, Scenario> = {
  'no credential': { headers: () => ({}), authenticated: unknown, user: unknown },
  'an API token': {
    headers: () => ({ 'x-api-token': api }),
    authenticated: '200 token',
    user: '403 USER_MODE_REQUIRED',
  },
  'an API token that was never issued': {
    headers: () => ({ 'x-api-token': generateToken('api') }),
    authenticated: unknown,
    user: unknown,
  },
  'an API token and a group': {
    headers: () => ({ 'x-api-token': api, 'x-identity-group': 'staff' }),
    authenticated: '200 token',
    user: '403 USER_MODE_REQUIRED',
  },
  'an API token and the cookie': {
    headers: () => ({ 'x-api-token': api, cookie: `service_session=${session}` }),
    authenticated: '200 token',
    user: '403 USER_MODE_REQUIRED',
  },
  'an API token and an identity token': {
    headers: () => ({ 'x-api-token': api, 'x-identity-token': generateToken('identity') }),
    authenticated: '401 IDENTITY_NOT_AUTHENTICATED',
    user: '401 IDENTITY_NOT_AUTHENTICATED',
  },
  'an API token and authorization': {
    headers: () => ({ 'x-api-token': api, authorization: `Bearer ${session}` }),
    authenticated: unknown,
    user: unknown,
  },
  'two API tokens': { headers: () => ['x-api-token', api, 'x-api-token', api], authenticated: unknown, user: unknown },
  'an API token and an empty one': {
    headers: () => ['x-api-token', api, 'X-Api-Token', ''],
    authenticated: unknown,
    user: unknown,
  },
  'a comma-joined API token': {
    headers: () => ({ 'x-api-token': `${api},${api}` }),
    authenticated: unknown,
    user: unknown,
  },
  'a session as bearer': {
    headers: () => ({ authorization: `Bearer ${session}` }),
    authenticated: '200 user',
    user: '200 user',
  },
  'a session in the cookie': {
    headers: () => ({ cookie: `a=b; service_session=${session}` }),
    authenticated: '200 user',
    user: '200 user',
  },
  'two authorizations': {
    headers: () => ['authorization', `Bearer ${session}`, 'Authorization', `Bearer ${session}`],
    authenticated: unknown,
    user: unknown,
  },
  'two session cookies': {
    headers: () => ['cookie', `service_session=${session}`, 'cookie', `service_session=${session}`],
    authenticated: unknown,
    user: unknown,
  },
  'an unknown session': {
    headers: () => ({ authorization: `Bearer ${generateToken('session')}` }),
    authenticated: unknown,
    user: unknown,
  },
  'an API token as bearer': {
    headers: () => ({ authorization: `Bearer ${api}` }),
    authenticated: unknown,
    user: unknown,
  },
  'an identity token alone': {
    headers: () => ({ 'x-identity-token': generateToken('identity') }),
    authenticated: unknown,
    user: unknown,
  },
  'a group alone': { headers: () => ({ 'x-identity-group': 'staff' }), authenticated: unknown, user: unknown },
}

for (const [what, { headers, ...expected }] of Object.entries(scenarios)) {
  test(`${what}: ${expected.authenticated}, and on routes for users: ${expected.user}`, async (t) => {
    for (const permission of ['authenticated', 'user'] as const) {
      const { status, json } = await ask({ path: `/${permission}`, headers: headers() })
      t.is(`${status} ${json?.mode ?? json?.name}`, expected[permission])
    }
    t.like(await ask({ path: '/public', headers: headers() }), { status: 200, json: { mode: 'anonymous' } })
  })
}

test('credentials in the query are ignored', async (t) => {
  t.is((await ask({ path: `/authenticated?x-api-token=${api}&token=${api}` })).status, 401)
})

test('a rejection says nothing about the credential, and neither does the log', async (t) => {
  const token = generateToken('api')
  const { text } = await ask({ path: '/authenticated', headers: { 'x-api-token': token } })
  for (const place of [text, JSON.stringify(gateway.logged())]) {
    t.false(place.includes(token.slice(10, 40)))
    t.false(place.includes(tokenHash(token)))
  }
})

test('with the cookie a write must come from a page of this origin', async (t) => {
  const write = (headers: Record<string, string>) =>
    ask({ method: 'POST', path: '/user', headers: { cookie: `service_session=${session}`, ...headers } })
  t.like(await write({}), { status: 403, json: { name: 'CROSS_SITE_REQUEST', code: 11_004 } })
  t.is((await write({ origin: 'https://evil.example' })).status, 403)
  t.is((await write({ origin: `http://127.0.0.1:${gateway.port}` })).status, 200)
  t.is((await write({ 'sec-fetch-site': 'same-origin' })).status, 200)
  t.is((await write({ 'sec-fetch-site': 'same-site' })).status, 403)
  const bearer = { authorization: `Bearer ${session}`, origin: 'https://evil.example' }
  t.is((await ask({ method: 'POST', path: '/user', headers: bearer })).status, 200)
})

const rules = [{ mode: 'allow', action: '*' } as const]
async function tokenWith(settings: Partial<NewToken>): Promise<Record<string, string>> {
  const { accountId } = account
  const input = { id: newId(), accountId, name: 'x', permissions: rules, now: Date.now(), ...settings }
  return { 'x-api-token': (await createToken(gateway.deps.db, input)).value }
}

test('an API token works until it expires', async (t) => {
  t.is((await ask({ path: '/authenticated', headers: await tokenWith({ expiresAt: Date.now() - 1 }) })).status, 401)
  t.is(
    (await ask({ path: '/authenticated', headers: await tokenWith({ expiresAt: Date.now() + 60_000 }) })).status,
    200,
  )
})

test('a deactivated API token, and one that an operator locked, does not work', async (t) => {
  for (const change of ['activated = 0', 'locked = 1']) {
    const headers = await tokenWith({})
    const hash = tokenHash(String(headers['x-api-token']))
    await gateway.deps.db.run(`update tokens set ${change} where token_hash = ?`, [hash])
    t.is((await ask({ path: '/authenticated', headers })).status, 401, change)
  }
})

test('an API token bound to networks works only from them, as a trusted proxy reports', async (t) => {
  const headers = await tokenWith({ ips: ['192.0.2.0/24', '2001:db8::/32'] })
  const from = (address: string) => ask({ path: '/authenticated', headers: { ...headers, 'x-forwarded-for': address } })
  t.like(await from('192.0.2.7'), { status: 200, json: { clientAddress: '192.0.2.7' } })
  t.is((await from('2001:db8::9')).status, 200)
  t.is((await from('192.0.3.7')).status, 401)
  t.is((await from('192.0.2.7, 198.51.100.1')).status, 401)
  t.is((await ask({ path: '/authenticated', headers })).status, 401)
})

test('a session ends at its time, and with its user', async (t) => {
  const { db } = gateway.deps
  const late = await makeAccount(db)
  await db.run('update sessions set expires_at = ? where account_id = ?', [Date.now() - 1, late.accountId])
  t.is((await ask({ path: '/user', headers: late.user })).status, 401)
  const gone = await makeAccount(db)
  await db.run('delete from users where account_id = ?', [gone.accountId])
  t.is((await ask({ path: '/user', headers: gone.user })).status, 401)
})
