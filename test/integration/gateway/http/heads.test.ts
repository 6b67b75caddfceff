import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import test from 'ava'
import Joi from 'joi'
import { ok } from '#services/gateway/request/response.ts'
import { generateToken } from '#shared/crypto/token.ts'
import { makeAccount } from '../../../support/http/callers.ts'
import { callRaw } from '../../../support/http/client.ts'
import { startGateway, type TestGateway } from '../../../support/http/gateway.ts'
import { head, parse, quick } from '../../../support/http/held-route.ts'
import { testRoute } from '../../../support/http/test-route.ts'
import { afterAll } from '../../../support/test-context/shared.ts'

const body = { maxBytes: 1_000, schema: Joi.object().unknown(), optional: true } as const
const routes = [
  quick,
  testRoute({ method: 'GET', path: '/mine', permission: 'authenticated', handle: async () => ok({ mine: true }) }),
  testRoute({
    method: 'POST',
    path: '/mine',
    permission: 'authenticated',
    body,
    handle: async ({ body }) => ok({ body }),
  }),
  testRoute({ method: 'POST', path: '/any', permission: 'public', body, handle: async ({ body }) => ok({ body }) }),
]

const cleanup = afterAll()
let gateway: TestGateway
let token: string
let session: string
test.before(async () => {
  gateway = await startGateway(cleanup, { routes })
  const account = await makeAccount(gateway.deps.db)
  token = `x-api-token: ${(await account.token())['x-api-token']}`
  session = String(account.user.authorization).replace('Bearer ', '')
})

const close = 'connection: close'
const json = 'content-type: application/json'
const chunked = 'transfer-encoding: chunked'
const post = (path: string, ...headers: string[]) => head(`POST ${path} HTTP/1.1`, close, json, ...headers)
const pad = 'a'.repeat(20_000)
const badRequest = '400 VALIDATION_FAILED'
const notImplemented = '501 NOT_IMPLEMENTED'

/** Bytes that Node's HTTP client would not send, the error that they get, and the place that a 400 names. */
const rejections: [what: string, bytes: string, is: string, at?: string][] = [
  ['a transfer-encoding that ends with another', post('/any', 'transfer-encoding: gzip'), notImplemented],
  ['a transfer-encoding below chunked', `${post('/any', 'transfer-encoding: gzip, chunked')}0\r\n\r\n`, notImplemented],
  ['a transfer-encoding above chunked', post('/any', 'transfer-encoding: chunked, gzip'), notImplemented],
  ['chunked twice', `${post('/any', chunked, chunked)}0\r\n\r\n`, notImplemented],
  ['the transfer-encoding identity', post('/any', 'transfer-encoding: identity'), notImplemented],
  ['a transfer-encoding of a read', head('GET /quick HTTP/1.1', close, 'transfer-encoding: x'), notImplemented],
  ['a length after chunked', post('/any', chunked, 'content-length: 1'), badRequest, 'content-length'],
  ['chunked after a length', post('/any', 'content-length: 1', chunked), badRequest, 'transfer-encoding'],
  ['two lengths', post('/any', 'content-length: 1', 'content-length: 1'), badRequest, 'content-length'],
  [
    'a length that is too large for a number',
    post('/any', `content-length: ${'9'.repeat(30)}`),
    badRequest,
    'content-length',
  ],
  ['a byte in the address that must be encoded', 'GET /\x01 HTTP/1.1\r\nhost: a\r\n\r\n', badRequest, 'path'],
  ['a line that is not a header', head('GET /quick HTTP/1.1', 'quick'), badRequest, 'headers'],
  ['an address that is too long', head(`GET /quick?_=${pad} HTTP/1.1`), '414 ADDRESS_TOO_LONG'],
  ['an address without end', `GET /${pad}`, '414 ADDRESS_TOO_LONG'],
  ['a header that is too long', head('GET /quick HTTP/1.1', `x: ${pad}`), '431 HEADERS_TOO_LARGE'],
  ['headers without end', `GET /quick HTTP/1.1\r\nhost: a\r\nx: ${pad}`, '431 HEADERS_TOO_LARGE'],
  ['very many headers', head('GET /quick HTTP/1.1', ...Array(5_000).fill('x: yyyyyy')), '431 HEADERS_TOO_LARGE'],
  ['a trailer that is too long', `${post('/any', chunked)}0\r\nx: ${pad}\r\n\r\n`, '431 HEADERS_TOO_LARGE'],
  ['another expectation', post('/any', 'expect: the-unexpected', 'content-length: 0'), '417 EXPECTATION_FAILED'],
  ['one more expectation', post('/any', 'expect: 100-continue, x', 'content-length: 2'), '417 EXPECTATION_FAILED'],
  ['a method that HTTP does not have', head('COOK /quick HTTP/1.1'), notImplemented],
  ['a method in small letters', head('get /quick HTTP/1.1'), notImplemented],
  ['a version that HTTP does not have', head('GET /quick HTTP/9.9'), '505 HTTP_VERSION_NOT_SUPPORTED'],
  ['HTTP/2 without a preface', head('GET /quick HTTP/2.0', close), '505 HTTP_VERSION_NOT_SUPPORTED'],
  ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', '505 HTTP_VERSION_NOT_SUPPORTED'],
]
for (const [what, bytes, is, at] of rejections) {
  test(`${what} is ${is}, in the form of every error, and the last response of its connection`, async (t) => {
    const { status, headers, body } = parse(await callRaw(gateway.port, bytes))
    t.is(`${status} ${body.name}`, is)
    if (at !== undefined) t.like(body.details, { errors: [{ path: at }] })
    t.true(headers.includes(`x-request-id: ${body.requestId}`), headers)
    t.true(headers.includes('connection: close'), headers)
    t.regex(headers, /^date: \w+, \d\d \w+ \d{4} [\d:]{8} gmt\r?$/m)
  })
}

test('CONNECT is 405 with the allowed methods', async (t) => {
  const { status, headers } = parse(await callRaw(gateway.port, 'CONNECT a:80 HTTP/1.1\r\nhost: a:80\r\n\r\n'))
  t.is(status, 405)
  t.regex(headers, /^allow: get, head, post, put, patch, delete, options\r?$/m)
})

const accepted: [what: string, bytes: string, body: unknown][] = [
  ['an address with scheme and host', head('GET http://elsewhere.example/quick?_=1 HTTP/1.1', close), {}],
  ['HTTP/1.0 without a host', 'GET /quick HTTP/1.0\r\n\r\n', {}],
  ['an expectation in HTTP/1.0', 'GET /quick HTTP/1.0\r\nexpect: tea\r\n\r\n', {}],
  ['an offer of another protocol', head('GET /quick HTTP/1.1', 'upgrade: h2c', 'connection: close, upgrade'), {}],
  ['a request with te and accept', head('GET /quick HTTP/1.1', close, 'te: trailers', 'accept: text/plain'), {}],
  ['a body in chunks', `${post('/any', 'transfer-encoding: Chunked')}2;a=b\r\n{}\r\n0\r\nx: y\r\n\r\n`, { body: {} }],
  [
    'a body with the content-encoding identity',
    `${post('/any', 'content-encoding: Identity,', 'content-length: 2')}{}`,
    { body: {} },
  ],
]
for (const [what, bytes, expected] of accepted) {
  test(`${what} is accepted`, async (t) => {
    const { status, body } = parse(await callRaw(gateway.port, bytes))
    t.is(status, 200, JSON.stringify(body))
    t.deepEqual(body as unknown, expected)
  })
}

test('no header is dropped, however many there are', async (t) => {
  const many = Array(2_500).fill('x:')
  const answer = await callRaw(gateway.port, head('GET /mine HTTP/1.1', close, ...many, token))
  t.is(parse(answer).status, 200)
})

test('OPTIONS * allows every method', async (t) => {
  const answer = await callRaw(gateway.port, head('OPTIONS * HTTP/1.1', close))
  t.regex(answer, /^HTTP\/1\.1 204 .*^allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS\r$/ms)
})

for (const value of ['Bearer %', 'bearer %', 'BEARER    %', '\t Bearer % \t', '  Bearer  %']) {
  test(`authorization ${JSON.stringify(value)} is the session of a user`, async (t) => {
    const authorization = `authorization:${value.replace('%', session)}`
    t.is(parse(await callRaw(gateway.port, head('GET /mine HTTP/1.1', close, authorization))).status, 200)
  })
}
for (const value of ['Bearer%', 'Bearer\t%', 'Bearer % x', 'Bearer %,', 'Basic %', '%']) {
  test(`authorization ${JSON.stringify(value)} is 401 and names the accepted credentials`, async (t) => {
    const authorization = `authorization: ${value.replace('%', session)}`
    const { status, headers } = parse(await callRaw(gateway.port, head('GET /mine HTTP/1.1', close, authorization)))
    t.is(status, 401)
    const challenges = 'bearer realm="listd", x-api-token realm="listd", x-identity-token realm="listd"'
    t.true(headers.includes(`www-authenticate: ${challenges}`), headers)
  })
}

/** The first answer to a client that waits for 100 Continue before it sends its body. */
async function firstAnswer(socket: Socket, ...headers: string[]): Promise<string> {
  socket.write(head('POST /mine HTTP/1.1', json, 'expect: 100-continue', ...headers))
  const [answer] = await once(socket, 'data')
  return String(answer)
}

const early: [what: string, is: RegExp, headers: () => string[]][] = [
  ['a bad token', /^HTTP\/1\.1 401 /, () => [`x-api-token: ${generateToken('api')}`, 'content-length: 10']],
  ['no token', /^HTTP\/1\.1 401 /, () => [chunked]],
  ['a length that is too large', /^HTTP\/1\.1 413 /, () => [token, 'content-length: 1001']],
]
for (const [what, is, headers] of early) {
  test(`a client with ${what} gets its response before it sends its body, and the connection ends`, async (t) => {
    const socket = connect(gateway.port, '127.0.0.1')
    const answer = await firstAnswer(socket, ...headers())
    t.regex(answer, is)
    t.regex(answer, /^connection: close\r$/im)
    t.is(await text(socket), '')
  })
}

test('a client that may send its body gets 100 Continue once, and its connection stays open', async (t) => {
  const socket = connect(gateway.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  t.is(await firstAnswer(socket, token, 'content-length: 7'), 'HTTP/1.1 100 Continue\r\n\r\n')
  socket.write('{"a":1}')
  const [answer] = await once(socket, 'data')
  t.regex(String(answer), /^HTTP\/1\.1 200 [\s\S]*{"body":{"a":1}}$/)
  socket.write(head('GET /quick HTTP/1.1', close))
  t.regex(await text(socket), /^HTTP\/1\.1 200 /)
})

test('a client without a body gets its response at once', async (t) => {
  const socket = connect(gateway.port, '127.0.0.1')
  t.teardown(() => socket.destroy())
  t.regex(await firstAnswer(socket, token, 'content-length: 0'), /^HTTP\/1\.1 200 /)
})
