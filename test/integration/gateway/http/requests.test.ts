import test from 'ava'
import Joi from 'joi'
import { bytes, ok, redirect } from '#services/gateway/request/response.ts'
import type { Route } from '#services/gateway/request/route.ts'
import { queryBoolean } from '#services/gateway/schemas/query-schemas.ts'
import { type Call, call, callRaw } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { head } from '../../../support/http/held-route.ts'
import { play, type Scenario } from '../../../support/http/scenario.ts'
import { testRoute } from '../../../support/http/test-route.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const done: Route['handle'] = async ({ params, query }) => ok({ params, query })
const query = Joi.object({ dryRun: queryBoolean() })

const kept = bytes('kept', { type: 'text/plain', headers: { etag: '"1"' }, cacheControl: 'no-cache' })
const ifMatch = { request: { 'if-match': 'The etag.' } }
const routes = [
  testRoute({ method: 'POST', path: '/things', permission: 'public', handle: done }),
  testRoute({ method: 'GET', path: '/things/{thing}', permission: 'public', query, handle: done }),
  testRoute({ method: 'DELETE', path: '/things/{thing}', permission: 'public', handle: done }),
  testRoute({ method: 'PUT', path: '/things/{thing}', permission: 'public', headers: ifMatch, handle: done }),
  testRoute({
    method: 'GET',
    path: '/image',
    permission: 'public',
    handle: async () => bytes(Buffer.from([0, 255]), { type: 'image/png', cacheControl: 'max-age=60' }),
  }),
  testRoute({ method: 'POST', path: '/moved', permission: 'public', handle: async () => redirect('/things/1') }),
  testRoute({
    method: 'GET',
    path: '/kept',
    permission: 'public',
    handle: async () => kept,
  }),
  testRoute({
    method: 'GET',
    path: '/broken',
    permission: 'public',
    handle: async () => {
      throw new Error('secret-canary in a driver message')
    },
  }),
]

const cleanup = afterAll()
let gateway: TestGateway
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
})

const unknownRoute = '404 ROUTE_NOT_FOUND'
const wrongMethod = '405 METHOD_NOT_ALLOWED'
const badQuery = { is: '400 VALIDATION_FAILED' }
const badPath = { is: '400 VALIDATION_FAILED', errors: ['path'] }

const scenarios: Record<string, Scenario> = {
  'a condition on a write that ignores conditions': {
    method: 'DELETE',
    path: '/things/1?x=1',
    headers: { 'if-match': '"1"', 'if-none-match': '*' },
    ...badQuery,
    errors: ['if-match', 'if-none-match', 'x'],
  },
  'a condition on a write that accepts conditions': {
    method: 'PUT',
    path: '/things/1',
    headers: { 'if-match': '"1"' },
    is: '200',
  },
  'a condition that is not a tag, on a read and on a write': {
    path: '/things/1?x=1',
    headers: { 'if-match': '1', 'if-none-match': ',' },
    ...badQuery,
    errors: ['if-match', 'if-none-match', 'x'],
  },
  'a condition that is not a tag, on a write that accepts conditions': {
    method: 'PUT',
    path: '/things/1',
    headers: { 'if-match': '"1", 2' },
    ...badQuery,
    errors: ['if-match'],
  },
  'a date as the condition of a read': {
    path: '/things/1',
    headers: {
      'if-modified-since': 'Sat, 28 Nov 2026 00:00:00 GMT',
      'if-unmodified-since': 'never',
      range: 'bytes=0-1',
    },
    is: '200',
  },
  'a ? at the end without a query': { path: '/things/1?', is: '200', contains: { params: { thing: '1' }, query: {} } },
  'unknown query parameters': {
    path: '/things/1?dryrun=1&utm_source=x',
    ...badQuery,
    errors: ['dryrun', 'utm_source'],
  },
  'an unknown query parameter of a route without any': {
    method: 'DELETE',
    path: '/things/1?dryRun=1',
    ...badQuery,
    errors: ['dryRun'],
  },
  'parameters that are ignored': {
    path: '/things/1?dryRun=1&listId=x&_t=1&__proto__=1',
    is: '200',
    contains: { query: { dryRun: true } },
  },
  'a query that is not UTF-8': { path: '/things/1?dryRun=%ff', ...badQuery, errors: ['dryRun', 'dryRun'] },
  'more parameters than are allowed': { path: `/things/1?${'_=1&'.repeat(1_000)}`, ...badQuery, errors: ['query'] },
  'an encoded path parameter': {
    path: '/things/a%2Fb%20%C3%A9',
    is: '200',
    contains: { params: { thing: 'a/b é' } },
  },
  'HEAD is GET without body': { method: 'HEAD', path: '/things/1', is: '200' },
  'an unknown route': { path: '/nothing/here', is: unknownRoute },
  'the root': { path: '/', is: unknownRoute },
  'a trailing slash': { path: '/things/1/', is: unknownRoute },
  'another case': { path: '/Things/1', is: unknownRoute },
  'OPTIONS on an unknown route': { method: 'OPTIONS', path: '/nothing', is: unknownRoute },
  'OPTIONS on a route': { method: 'OPTIONS', path: '/things/1', is: '204' },
  'a wrong method': { method: 'PATCH', path: '/things', body: '{"a', is: wrongMethod },
  'an unknown method': { method: 'PROPFIND', path: '/things', is: wrongMethod },
  'percent-encoding that is not UTF-8': { path: '/things/%ff', ...badPath },
  'broken percent-encoding': { path: '/things/%zz', ...badPath },
  'broken percent-encoding on an unknown route': { path: '/%ff', ...badPath },
  'a target that is not a URL': { path: 'http://[/things', ...badPath },
  'an unexpected error reveals nothing': { path: '/broken', is: '500 INTERNAL_ERROR', lacks: 'canary' },
}

for (const [claim, scenario] of Object.entries(scenarios)) {
  test(`${claim}: ${scenario.is}`, (t) => play(t, gateway.port, scenario))
}

test('an error body has exactly the fields of the contract', async (t) => {
  const { json } = await call(gateway.port, { path: '/nothing' })
  t.deepEqual(Object.keys(json ?? {}), ['name', 'code', 'message', 'requestId'])
  t.is(json?.code, 10_003)
})

test('the error of an unknown route names its method and path, cut and without the query, and a similar route', async (t) => {
  const messageFor = async (request: Call) => String((await call(gateway.port, request)).json?.message)
  t.is(await messageFor({ path: '/nothing?token=canary' }), 'There is no route GET /nothing.')
  t.is(await messageFor({ method: 'PUT', path: '/thing/1' }), 'There is no route PUT /thing/1; did you mean /things/1?')
  t.true((await messageFor({ path: `/${'x'.repeat(5_000)}` })).length < 400)
  t.is(await messageFor({ path: '/a%0Ab' }), 'There is no route GET /a%0Ab.')
})

test('the error of a wrong method names the allowed ones', async (t) => {
  const { json } = await call(gateway.port, { method: 'PATCH', path: '/things' })
  t.is(json?.message, 'PATCH is not supported here; there are POST, OPTIONS.')
  t.is(
    (await call(gateway.port, { method: 'PATCH', path: '/things/1' })).headers.allow,
    'GET, HEAD, PUT, DELETE, OPTIONS',
  )
  t.is((await call(gateway.port, { path: '/things' })).headers.allow, 'POST, OPTIONS')
})

test('a valid request id is kept, any other is replaced', async (t) => {
  const send = (id: string) => call(gateway.port, { path: '/nothing', headers: { 'x-request-id': id } })
  t.is((await send('job-7:b.2')).headers['x-request-id'], 'job-7:b.2')
  for (const id of ['a b', 'x'.repeat(101), '<script>', 'a,b']) t.not((await send(id)).headers['x-request-id'], id)
})

test('request ids are unique', async (t) => {
  const replies = await Promise.all([1, 2, 3].map(() => call(gateway.port, { path: '/nothing' })))
  t.is(new Set(replies.map(({ headers }) => headers['x-request-id'])).size, 3)
})

test('pages of any origin may call the API, without credentials', async (t) => {
  const { status, headers } = await call(gateway.port, {
    method: 'OPTIONS',
    path: '/things',
    headers: { origin: 'https://app.example', 'access-control-request-method': 'POST' },
  })
  t.is(status, 204)
  t.is(headers['access-control-allow-origin'], '*')
  t.is(headers['access-control-allow-methods'], 'POST, OPTIONS')
  t.is(headers['access-control-allow-credentials'], undefined)
  const allowed = headers['access-control-allow-headers']?.split(', ') ?? []
  const needed = ['authorization', 'x-api-token', 'x-identity-token', 'x-identity-group', 'if-match', 'content-type']
  t.deepEqual(
    needed.filter((name) => !allowed.includes(name)),
    [],
  )
})

test('pages may read every header of the API', async (t) => {
  const { headers } = await call(gateway.port, { path: '/things/1', headers: { origin: 'https://app.example' } })
  const exposed = headers['access-control-expose-headers']?.split(', ') ?? []
  const needed = ['x-request-id', 'x-rate-limit-total', 'x-rate-limit-remaining', 'retry-after', 'etag']
  t.deepEqual(
    needed.filter((name) => !exposed.includes(name)),
    [],
  )
})

test('a preflight succeeds everywhere, so that a page can read the error', async (t) => {
  const headers = { origin: 'https://app.example', 'access-control-request-method': 'GET' }
  for (const path of ['/nothing', '/things/1', '/broken']) {
    t.is((await call(gateway.port, { method: 'OPTIONS', path, headers })).status, 204, path)
  }
})

test('bytes have their content type, and a response may allow caching; no cache may keep any other response', async (t) => {
  const image = await callRaw(gateway.port, head('GET /image HTTP/1.1', 'connection: close'))
  t.regex(image, /^HTTP\/1.1 200 .*cache-control: max-age=60\r\n.*content-type: image\/png\r\n/s)
  t.true(image.endsWith('\r\n\r\n\u0000\ufffd'))
  const { headers } = await call(gateway.port, { path: '/things/1' })
  t.is(headers['cache-control'], 'no-store')
})

test('a redirect is 303 with only the address; 304 has neither body nor length', async (t) => {
  const moved = await call(gateway.port, { method: 'POST', path: '/moved' })
  t.like(moved, { status: 303, text: '', headers: { location: '/things/1', 'content-length': '0' } })
  const kept = (tags: string) => call(gateway.port, { path: '/kept', headers: { 'if-none-match': tags } })
  const { status, text, headers } = await kept('"2", W/"1"')
  t.deepEqual([status, text, headers.etag, headers['cache-control']], [304, '', '"1"', 'no-cache'])
  t.deepEqual([headers['content-length'], headers['content-type']], [undefined, undefined])
  t.like(await kept('"2"'), { status: 200, text: 'kept' })
})

test('an unexpected error is logged with its stack and the id of its request', async (t) => {
  const { headers } = await call(gateway.port, { path: '/broken' })
  const failed = gateway.logged().filter(({ event }) => event === 'request.failed')
  const line = failed.find(({ requestId }) => requestId === headers['x-request-id'])
  t.regex(JSON.stringify(line), /"stack":"Error: secret-canary/)
})

test('a request is logged with its template, never with its query', async (t) => {
  await call(gateway.port, { path: '/things/private-name?dryRun=1&_q=private-words' })
  const line = gateway.logged().findLast(({ route }) => route === '/things/{thing}')
  t.like(line, { event: 'request.completed', method: 'GET', status: 200, clientAddress: '127.0.0.1' })
  await call(gateway.port, { path: '/nothing-here' })
  t.is(gateway.logged().at(-1)?.error, 'ROUTE_NOT_FOUND')
  t.is(typeof line?.durationMs, 'number')
  t.false(JSON.stringify(gateway.logged()).includes('private-'))
})
