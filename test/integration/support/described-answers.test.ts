import test from 'ava'
import { assertDescribed } from '../../support/http/answers/described-answers.ts'

const error = { name: 'LIST_READONLY', code: 12002, message: 'The list is read-only.', requestId: 'a' }
const headers = { 'x-request-id': 'a', date: 'today', 'access-control-allow-origin': '*' }
const health = { status: 'ok', checks: { database: 'ok' } }

const passing: [method: string, path: string, status: number, json: unknown][] = [
  ['GET', '/health/ready?a=1', 200, health],
  ['PUT', '/lists/recipes', 409, error],
  ['DELETE', '/lists/recipes', 204, undefined],
  ['GET', '/nothing', 404, { ...error, name: 'ROUTE_NOT_FOUND' }],
  ['PATCH', '/lists/recipes', 405, { ...error, name: 'METHOD_NOT_ALLOWED' }],
  ['GET', '/a-route-of-a-test', 200, {}],
]

test('a described response passes, and so does one outside the API', (t) => {
  for (const [method, path, status, json] of passing) {
    t.notThrows(() => assertDescribed({ method, path }, { status, headers, json }), `${method} ${path}`)
  }
})

const failing: [method: string, path: string, status: number, json: unknown, expected: RegExp][] = [
  ['GET', '/health/ready', 200, { ...health, more: 1 }, /GET \/health\/ready answered 200:\n.*additional.*more/s],
  ['GET', '/health/ready', 200, { ...health, status: 'so-so' }, /\/status must be equal .*"ok","degraded".*"so-so"/],
  ['GET', '/lists/recipes', 201, {}, /GET \/lists\/\{list\} answered 201: the description has 200, .*say the status/],
  ['GET', '/health/live', 200, undefined, /answered 200 without a JSON body/],
  ['DELETE', '/lists/recipes', 204, {}, /answered 204 with a JSON body/],
  ['GET', '/lists/recipes', 409, error, /answered 409 LIST_READONLY: name the error in the route's "errors"/],
  ['POST', '/lists', 409, error, /POST \/lists answered 409 LIST_READONLY:.*\/name must be equal/s],
  ['PUT', '/lists/recipes', 409, { ...error, sql: 'select' }, /additional.*sql/],
]

test('any other response is an error that names the route, the position and what was expected', (t) => {
  for (const [method, path, status, json, expected] of failing) {
    const { message = '' } = t.throws(() => assertDescribed({ method, path }, { status, headers, json })) ?? {}
    t.regex(message, expected)
  }
})

const item = '/lists/recipes/items/a/data'
const withHeaders: [
  method: string,
  path: string,
  status: number,
  own: Record<string, unknown>,
  expected: RegExp | null,
][] = [
  ['GET', item, 200, { etag: '"1"' }, null],
  ['GET', item, 200, {}, /answered 200 without the header etag/],
  ['GET', item, 200, { etag: 'W/"1"' }, /answered 200 with etag: .*pattern/],
  ['GET', item, 200, { etag: '"1"', 'x-request-id': undefined }, /without the header x-request-id/],
  ['GET', item, 200, { etag: '"1"', 'x-powered-by': 'a' }, /with the header x-powered-by: say it/],
  ['POST', '/auth/logout', 204, { 'set-cookie': ['service_session=; Path=/'] }, null],
  ['POST', '/auth/logout', 204, { 'set-cookie': ['other=; Path=/'] }, /with set-cookie: .*pattern/],
  ['GET', item, 503, { 'retry-after': '5' }, null],
  ['GET', item, 503, { 'retry-after': 'soon' }, /503 SERVICE_UNAVAILABLE with retry-after: .*integer/],
  ['GET', item, 404, { 'retry-after': '5' }, /404 REQUESTED_ENTITY_NOT_FOUND with the header retry-after/],
]
const bodies: Record<number, unknown> = {
  200: {},
  404: { ...error, name: 'REQUESTED_ENTITY_NOT_FOUND' },
  503: { ...error, name: 'SERVICE_UNAVAILABLE' },
}

test('a response has the described headers, each in its form, and no others', (t) => {
  for (const [method, path, status, own, expected] of withHeaders) {
    const answer = { status, headers: { ...headers, ...own }, json: bodies[status] }
    const claim = `${status} ${JSON.stringify(own)}`
    if (!expected) t.notThrows(() => assertDescribed({ method, path }, answer), claim)
    else t.regex(t.throws(() => assertDescribed({ method, path }, answer))?.message ?? '', expected, claim)
  }
})
