import test from 'ava'
import { type ErrorName, ListdError } from '#client/src/error.ts'
import { failureOf } from '#services/supervisor/remote/answer-failure.ts'

function failure(name: ErrorName, status: number, more: object = {}) {
  const { message, exitCode } = failureOf(new ListdError({ name, status, message: 'It failed.', ...more }))
  return { message, exitCode }
}

test('every kind of failure has its exit code', (t) => {
  const codes = [
    ['SCHEMA_SYNC_REBUILD_NOT_ALLOWED', 422, 2],
    ['INDEX_BUILD_FAILED', 409, 3],
    ['SCHEMA_SYNC_DESTRUCTIVE_NOT_ALLOWED', 422, 4],
    ['REQUESTED_ENTITY_NOT_FOUND', 404, 6],
    ['USER_NOT_AUTHENTICATED', 401, 7],
    ['TOKEN_NOT_AUTHORIZED', 403, 7],
    ['RATE_LIMIT_EXCEEDED', 429, 8],
    ['MAX_LISTS_EXCEEDED', 403, 8],
    ['STORAGE_LIMIT_EXCEEDED', 403, 8],
    ['PAYLOAD_TOO_LARGE', 413, 8],
    ['SCHEMA_SYNC_PLAN_CHANGED', 409, 12],
    ['SCHEMA_SYNC_SCOPE_CONFLICT', 422, 1],
    ['CONNECTION_FAILED', 0, 1],
    ['INTERNAL_ERROR', 500, 1],
  ] as const
  for (const [name, status, code] of codes) t.is(failure(name, status).exitCode, code, name)
})

test('a failure names the request, every error of the document, and the permissions that the token lacks', (t) => {
  const errors = [
    { path: '', message: 'must be an object' },
    { path: 'lists.\u001b', message: 'is wrong' },
  ]
  t.is(
    failure('VALIDATION_FAILED', 400, { requestId: 'r1', details: { errors } }).message,
    'It failed. (request r1)\n  the document must be an object\n  lists.\u{FFFD} is wrong',
  )
  const missing = [
    { action: 'create', resourceType: 'list' },
    { action: 'create', resourceType: 'list' },
    { action: 'delete', resourceType: 'index' },
  ]
  t.is(
    failure('TOKEN_NOT_AUTHORIZED', 403, { requestId: 'r2', details: { missing } }).message,
    'It failed. It lacks: create list, delete index. (request r2)',
  )
})

test('an unreachable server is reported with the reason of the system', (t) => {
  const cause = Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  t.regex(failure('CONNECTION_FAILED', 0, { cause }).message, /LISTD_URL, .* \(ECONNREFUSED\)\.$/)
})

test('the advice names the address and the credential of the caller', (t) => {
  const caller = { address: 'the address of the profile "staging"', credential: 'Sign in again.', sees: 'all' } as const
  const messageOf = (name: ErrorName, status: number) =>
    failureOf(new ListdError({ name, status, message: 'It failed.' }), caller).message
  t.is(messageOf('USER_NOT_AUTHENTICATED', 401), 'It failed. Sign in again.')
  t.regex(
    messageOf('CONNECTION_FAILED', 0),
    /Check the address of the profile "staging", and whether a listd is running/,
  )
  t.regex(messageOf('UNEXPECTED_ANSWER', 200), /may be running at the address of the profile "staging"/)
})

const missing = [
  ['GET /lists/recipes', 'list "recipes"'],
  ['POST /lists/01h/items/batch?dryRun=true', 'list "01h"'],
  ['GET /lists/a%2Fb/indexes/slug', 'index "slug" in the list "a/b"'],
  ['POST /webhooks/w/deliveries/d/redeliver', 'delivery "d" in the webhook "w"'],
  ['GET /webhooks/w/deliveries', 'webhook "w"'],
  ['GET /flow-definitions/votes', 'flow "votes"'],
  ['POST /flow-runs/r/repeat', 'run "r"'],
  ['GET /identities/staff%2Fann', 'identity "staff/ann"'],
] as const

test('a missing resource is named as in the call', (t) => {
  for (const [route, named] of missing) {
    const { message, exitCode } = failure('REQUESTED_ENTITY_NOT_FOUND', 404, { route })
    t.deepEqual([message, exitCode], [`There is no ${named}, or the token may not view it.`, 6])
  }
  const user = { address: '', credential: '', sees: 'all' } as const
  const error = new ListdError({
    name: 'REQUESTED_ENTITY_NOT_FOUND',
    status: 404,
    message: 'It failed.',
    route: 'GET /webhooks/w',
  })
  t.is(failureOf(error, user).message, 'There is no webhook "w".')
  t.is(failure('REQUESTED_ENTITY_NOT_FOUND', 404, { route: 'GET /tokens/self' }).message, 'It failed.')
})
