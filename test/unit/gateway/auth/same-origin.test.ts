import type { IncomingMessage } from 'node:http'
import test from 'ava'
import { isFromThisOrigin } from '#services/gateway/auth/same-origin.ts'

const publicUrl = 'https://lists.example'
const host = '127.0.0.1:3000'

type Case = [
  claim: string,
  request: { method?: string; headers: Record<string, string>; secure?: boolean },
  allowed: boolean,
]
const cases: Case[] = [
  ['reading needs nothing', { method: 'GET', headers: { origin: 'https://evil.example' } }, true],
  ['writing without a sign of its origin is rejected', { headers: {} }, false],
  ['the origin of the request', { headers: { origin: `http://${host}` } }, true],
  ['the public origin', { headers: { origin: publicUrl } }, true],
  ['another origin', { headers: { origin: 'https://evil.example' } }, false],
  ['an opaque origin', { headers: { origin: 'null' } }, false],
  ['an origin that only begins alike', { headers: { origin: `http://${host}.evil.example` } }, false],
  [
    'the same host without TLS, while the client speaks TLS',
    { headers: { origin: `http://${host}` }, secure: true },
    false,
  ],
  ['the browser says same-origin', { headers: { 'sec-fetch-site': 'same-origin' } }, true],
  ['the browser says same-site', { headers: { 'sec-fetch-site': 'same-site', origin: publicUrl } }, false],
  ['the browser says cross-site', { headers: { 'sec-fetch-site': 'cross-site', origin: publicUrl } }, false],
]

for (const [claim, { method = 'POST', headers, secure = false }, allowed] of cases) {
  test(`a request with the cookie: ${claim}`, (t) => {
    const req = { method, headers: { host, ...headers } } as unknown as IncomingMessage
    t.is(isFromThisOrigin(req, { address: '127.0.0.1', secure }, publicUrl), allowed)
  })
}
