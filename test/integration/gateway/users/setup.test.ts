import test, { type ExecutionContext } from 'ava'
import { routes } from '#services/gateway/resources/index.ts'
import { generateToken } from '#shared/crypto/token.ts'
import { createSetupToken } from '#shared/data/users/setup-tokens.ts'
import { errorPaths } from '../../../support/http/answers/wire-errors.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { type Call, call } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { startSigningIn } from '../../../support/identity/signing-in.ts'

const email = 'Ada@listd.example'
const password = 'canary-Passwort-ü'

const setUp = (gateway: TestGateway, body: unknown, headers: Call['headers'] = {}) =>
  call(gateway.port, { method: 'POST', path: '/auth/setup', body, headers })

async function startEmpty(t: ExecutionContext) {
  const started = await startSigningIn(t)
  const setupToken = (await started.gateway.deps.db.transaction(createSetupToken)) ?? ''
  return { ...started, setupToken }
}

test('set-up returns user, account, a session as token and cookie, and the first API token with its value', async (t) => {
  const { gateway, setupToken } = await startEmpty(t)
  const answer = await setUp(gateway, { setupToken, email: ` ${email} `, password })
  t.is(answer.status, 201, answer.text)
  const { user, account, token, expiresAt, apiToken, ...rest } = answer.json ?? {}
  t.deepEqual(rest, {})
  t.like(user, { email })
  t.like(account, { name: 'main', plan: 'scale' })
  t.regex(String(expiresAt), /^\d{4}-\d\d-\d\dT.*Z$/)
  const { value, ...shown } = apiToken as Record<string, unknown>
  t.deepEqual(Object.keys(shown), [
    'id',
    'createdAt',
    'updatedAt',
    'name',
    'description',
    'tags',
    'permissions',
    'ips',
    'expiresAt',
    'rateLimit',
    'activated',
    'locked',
    'lastUsedAt',
    'lists',
  ])
  t.like(shown, { name: 'first', description: '', tags: [], ips: null, activated: true, locked: false })
  const [cookie, ...attributes] = String(answer.headers['set-cookie']).split('; ')
  t.is(cookie, `service_session=${token}`)
  t.true(attributes.includes('HttpOnly') && attributes.includes('SameSite=Lax'))

  for (const headers of [{ authorization: `Bearer ${token}` }, { cookie: String(cookie) }]) {
    const self = await call(gateway.port, { path: '/auth/self', headers })
    t.like(self.json, { user, account })
  }
  const lists = await call(gateway.port, { path: '/lists', headers: { 'x-api-token': String(value) } })
  t.like(lists, { status: 200, json: { total: 0 } })
  const login = { method: 'POST', path: '/auth/login', body: { email, password } }
  t.is((await call(gateway.port, login)).status, 200)
  const log = JSON.stringify(gateway.logged())
  for (const secret of ['canary', setupToken, String(value), String(token), email])
    t.false(log.includes(secret), secret)
})

test('of two set-ups on two gateways at once exactly one wins', async (t) => {
  const { gateway, other, setupToken } = await startEmpty(t)
  const asked = [gateway, other].map((one, n) => setUp(one, { setupToken, email: `u${n}@listd.example`, password }))
  const answers = await Promise.all(asked)
  t.deepEqual(answers.map(({ status }) => status).sort(), [201, 400])
  const lost = answers.find(({ status }) => status === 400)
  t.like(lost?.json, { name: 'IDENTITY_TOKEN_INVALID', code: 20_011, details: { reason: 'used' } })
  t.is(lost?.headers['set-cookie'], undefined)
})

test('a weak password, a bad email or an unknown property is reported with all other errors, and uses up nothing', async (t) => {
  const { gateway, setupToken } = await startEmpty(t)
  const paths = async (body: unknown) => {
    const answer = await setUp(gateway, body)
    t.like(answer, { status: 400, json: { name: 'VALIDATION_FAILED' } })
    return errorPaths(answer)
  }
  t.deepEqual(await paths({ setupToken, email: 'ada', password: 'short' }), ['email', 'password'])
  t.deepEqual(await paths({ setupToken, email, password: 'x'.repeat(257), accountId: 'x' }), ['accountId', 'password'])
  t.deepEqual(await paths({}), ['email', 'password', 'setupToken'])
  t.is((await setUp(gateway, { setupToken, email, password })).status, 201)
})

test('anything that is not a set-up token is rejected as an unknown one', async (t) => {
  const { gateway, setupToken } = await startEmpty(t)
  const wrong = [
    '',
    'nonsense',
    generateToken('setup'),
    generateToken('api'),
    `${setupToken} `,
    setupToken.toLowerCase(),
  ]
  for (const token of wrong) {
    const answer = await setUp(gateway, { setupToken: token, email, password })
    t.like(answer, { status: 400, json: { name: 'IDENTITY_TOKEN_INVALID', details: { reason: 'unknown' } } })
  }
})

test('without NATS a set-up is 503, and the link stays valid', async (t) => {
  const alone = await startGateway(t, { routes })
  const setupToken = await alone.deps.db.transaction(createSetupToken)
  const answer = await setUp(alone, { setupToken, email, password })
  t.like(answer, { status: 503, json: { name: 'SERVICE_UNAVAILABLE' } })
  t.is(answer.headers['retry-after'], '1')
  t.deepEqual(await alone.deps.db.all('select used_at from one_time_tokens'), [{ used_at: null }])
})

test('the page is served without credentials, with a strict policy, and is not cached', async (t) => {
  const gateway = await startGateway(t, { routes })
  const page = await call(gateway.port, { path: '/setup', headers: { cookie: 'service_session=gone' } })
  t.is(page.status, 200)
  t.is(page.headers['content-type'], 'text/html; charset=utf-8')
  t.is(page.headers['cache-control'], 'no-store')
  t.is(page.headers['x-content-type-options'], 'nosniff')
  t.regex(page.headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-/)
  t.is(page.headers['set-cookie'], undefined)
  t.is(Number(page.headers['content-length']), Buffer.byteLength(page.text))
  t.regex(page.text, /^<!doctype html>[\s\S]*<form id="form"[\s\S]*<\/html>\n$/)
  const head = await call(gateway.port, { method: 'HEAD', path: '/setup' })
  t.deepEqual([head.status, head.text, head.headers['content-length']], [200, '', page.headers['content-length']])
})

test('the root is a page for browsers and JSON for others, and links to the set-up while there is no user; a cached page is not sent again', async (t) => {
  const gateway = await startGateway(t, { routes })
  const home = (headers = {}) => call(gateway.port, { path: '/', headers })
  const browser = { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' }
  const links = async () => [...(await home(browser)).text.matchAll(/href="([^"]+)"/g)].map(([, path]) => path)
  t.like((await home()).json, { name: 'listd', setup: '/setup', reference: '/openapi.json', health: '/health/ready' })
  t.deepEqual(await links(), ['/setup', '/openapi.json', '/health/ready'])
  await makeAccount(gateway.deps.db)
  t.like((await home({ accept: '*/*' })).json, { name: 'listd', setup: null })
  t.deepEqual(await links(), ['/openapi.json', '/health/ready'])

  const { status, headers, text } = await home(browser)
  t.is(status, 200)
  t.like(headers, { 'content-type': 'text/html; charset=utf-8', vary: 'accept', 'x-frame-options': 'DENY' })
  t.regex(headers['content-security-policy'] ?? '', /^default-src 'none'; style-src 'sha256-[^;]+; base-uri 'none'/)
  t.notRegex(text, /<script|https?:\/\//)
  const kept = await home({ ...browser, 'if-none-match': `"other", W/${headers.etag}` })
  t.like([kept.status, kept.text, kept.headers.etag], [304, '', headers.etag])
  t.like(kept.headers, { 'cache-control': 'no-cache', vary: 'accept', 'x-frame-options': 'DENY' })
  t.is((await home({ ...browser, 'if-none-match': '"other"' })).status, 200)
  for (const path of ['/docs', '/admin']) t.is((await call(gateway.port, { path, headers: browser })).status, 404)
})
