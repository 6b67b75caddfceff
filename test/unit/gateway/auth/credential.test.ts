import test from 'ava'
import { readCredential, readIdentityCredential, withoutIdentity } from '#services/gateway/auth/credential.ts'
import { generateToken, tokenHash } from '#shared/crypto/token.ts'

const api = generateToken('api')
const session = generateToken('session')

test('an API token is identified by its hash', (t) => {
  t.deepEqual(readCredential({ 'x-api-token': api }), { kind: 'api', tokenHash: tokenHash(api), identity: null })
})

test('next to an API token, an identity is identified by the hash of its token and its group', (t) => {
  const token = generateToken('identity')
  const identity = { tokenHash: tokenHash(token), group: 'staff' }
  const headers = { 'x-api-token': api, 'x-identity-token': token, 'x-identity-group': 'staff' }
  t.deepEqual(readCredential(headers), { kind: 'api', tokenHash: tokenHash(api), identity })
  t.deepEqual(readIdentityCredential({ 'x-identity-token': token }), { ...identity, group: null })
  t.is(readIdentityCredential({ 'x-identity-group': 'staff' }), null)
})

for (const [what, token] of [
  ['an API token', api],
  ['a session', session],
  ['a comma-joined token', `${generateToken('identity')}, ${generateToken('identity')}`],
  ['an empty text', ''],
] as const) {
  test(`${what} is not an identity token`, (t) => {
    t.deepEqual(readIdentityCredential({ 'x-identity-token': token }), { tokenHash: null, group: null })
  })
}

test('a request whose identity headers are ignored is treated as if it had none', (t) => {
  const headers = { 'x-api-token': api, accept: '*/*' }
  const stale = { 'x-identity-token': 'stale', 'x-identity-group': 'staff' }
  t.deepEqual(withoutIdentity({ ...headers, ...stale }), headers)
})

test('a session is sent as bearer token or in the cookie', (t) => {
  const expected = { kind: 'session', tokenHash: tokenHash(session) }
  t.deepEqual(readCredential({ authorization: `Bearer ${session}` }), { ...expected, fromCookie: false } as never)
  t.deepEqual(readCredential({ authorization: `bearer ${session}` }), { ...expected, fromCookie: false } as never)
  const cookie = `theme=dark; service_session=${session};other=1`
  t.deepEqual(readCredential({ cookie }), { ...expected, fromCookie: true } as never)
})

test('with an API token the cookie is ignored', (t) => {
  const credential = readCredential({ 'x-api-token': api, cookie: `service_session=${session}` })
  t.is(credential?.kind, 'api')
})

test('a request without a credential has none, even with other cookies or only a group', (t) => {
  t.is(readCredential({}), null)
  t.is(readCredential({ cookie: 'theme=dark; my_service_session=x', 'x-identity-group': 'staff' }), null)
})

const rejected: Record<string, Record<string, string>> = {
  'an API token with authorization': { 'x-api-token': api, authorization: `Bearer ${session}` },
  'an identity token without an API token': { 'x-identity-token': generateToken('identity') },
  'an identity token next to a session': { 'x-identity-token': 'x', authorization: `Bearer ${session}` },
  'an empty API token': { 'x-api-token': '' },
  'a comma-joined API token': { 'x-api-token': `${api}, ${api}` },
  'an API token with space around it': { 'x-api-token': ` ${api}` },
  'an API token with one character changed': { 'x-api-token': api.slice(0, -1) + (api.endsWith('0') ? '1' : '0') },
  'a session as API token': { 'x-api-token': session },
  'an API token as bearer': { authorization: `Bearer ${api}` },
  'a comma-joined authorization': { authorization: `Bearer ${session}, Bearer ${session}` },
  'basic authorization': { authorization: 'Basic dXNlcjpwYXNz' },
  'a bearer without token': { authorization: 'Bearer' },
  'an empty authorization': { authorization: '' },
  'two session cookies': { cookie: `service_session=${session}; service_session=${session}` },
  'an empty session cookie': { cookie: 'service_session=' },
  'a quoted session cookie': { cookie: `service_session="${session}"` },
}

const hints: [what: string, headers: Record<string, string>, message: RegExp][] = [
  [
    'an API token as bearer',
    { authorization: `Bearer ${api}` },
    /^This is an API token: send it as "x-api-token: listd_api_…"\.$/,
  ],
  [
    'a text that only begins like an API token as bearer',
    { authorization: 'Bearer listd_api_x' },
    /send it as "x-api-token: /,
  ],
  ['a bare API token as authorization', { authorization: api }, /send it as "x-api-token: /],
  ['an API token after another word', { authorization: `Token ${api}` }, /send it as "x-api-token: /],
  ['an API token after Bearer in its own header', { 'x-api-token': `Bearer ${api}` }, /send it as "x-api-token: /],
  [
    'an identity token as bearer',
    { authorization: `Bearer ${generateToken('identity')}` },
    /send it as x-identity-token/,
  ],
  ['a session as API token', { 'x-api-token': session }, /send it as "authorization: Bearer …"/],
  ['an API token with a session', { 'x-api-token': api, authorization: `Bearer ${session}` }, /not both/],
  ['an identity token alone', { 'x-identity-token': generateToken('identity') }, /together with an API token/],
  ['a broken API token', { 'x-api-token': 'listd_api_x' }, /^The credentials are missing or not valid\.$/],
  ['a broken session', { authorization: 'Bearer listd_session_x' }, /^The credentials are missing or not valid\.$/],
]
for (const [what, headers, message] of hints) {
  test(`${what} is rejected with advice`, (t) => {
    t.throws(() => readCredential(headers), { name: 'USER_NOT_AUTHENTICATED', message })
  })
}

for (const [what, headers] of Object.entries(rejected)) {
  test(`${what} is rejected`, (t) => {
    t.throws(() => readCredential(headers), { name: 'USER_NOT_AUTHENTICATED' })
  })
}
