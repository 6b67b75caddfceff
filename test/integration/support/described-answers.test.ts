import test from 'ava'
import { assertDescribed } from '../../support/http/described-answers.ts'

const error = { name: 'LIST_READONLY', code: 12002, message: 'The list is read-only.', requestId: 'a' }
const health = { status: 'ok', checks: { database: 'ok' } }

const passing: [method: string, path: string, status: number, json: unknown][] = [
  ['GET', '/health/ready?a=1', 200, health],
  ['PUT', '/lists/recipes', 409, error],
  ['DELETE', '/lists/recipes', 204, undefined],
  ['GET', '/nothing', 404, { ...error, name: 'ROUTE_NOT_FOUND' }],
  ['PATCH', '/lists/recipes', 405, { ...error, name: 'METHOD_NOT_ALLOWED' }],
  ['GET', '/a-route-of-a-test', 200, {}],
]

test('an answer that the description has passes, and what is no part of the API', (t) => {
  for (const [method, path, status, json] of passing) {
    t.notThrows(() => assertDescribed({ method, path }, { status, json }), `${method} ${path}`)
  }
})

const failing: [method: string, path: string, status: number, json: unknown, told: RegExp][] = [
  ['GET', '/health/ready', 200, { ...health, more: 1 }, /GET \/health\/ready answered 200:\n.*additional.*more/s],
  ['GET', '/health/ready', 200, { ...health, status: 'so-so' }, /\/status must be equal .*"ok","degraded".*"so-so"/],
  ['GET', '/lists/recipes', 201, {}, /GET \/lists\/\{list\} answered 201: the description has 200, .*say the status/],
  ['GET', '/health/live', 200, undefined, /answered 200 without a JSON body/],
  ['DELETE', '/lists/recipes', 204, {}, /answered 204 with a JSON body/],
  ['GET', '/lists/recipes', 409, error, /answered 409 LIST_READONLY: name the error in the route's "errors"/],
  ['POST', '/lists', 409, error, /POST \/lists answered 409 LIST_READONLY:.*\/name must be equal/s],
  ['PUT', '/lists/recipes', 409, { ...error, sql: 'select' }, /additional.*sql/],
]

test('another answer is an error that names the route, the place and what was expected', (t) => {
  for (const [method, path, status, json, told] of failing) {
    const { message = '' } = t.throws(() => assertDescribed({ method, path }, { status, json })) ?? {}
    t.regex(message, told)
  }
})
