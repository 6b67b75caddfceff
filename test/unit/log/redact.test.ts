import test from 'ava'
import { redact } from '#shared/log/redact.ts'

test('a secret is hidden at any position and however its name is written', (t) => {
  const fields = {
    requestId: 'r1',
    password: 'CANARY',
    headers: { 'X-Api-Token': 'CANARY', authorization: 'Bearer CANARY', 'content-type': 'application/json' },
    webhooks: [{ id: 'w1', secret: 'CANARY', previous_secret: 'CANARY' }],
    config: { secrets: { masterKey: 'CANARY' }, deep: { deeper: { deepest: { token: 'CANARY' } } } },
    tokenHash: 'CANARY',
    payload: { id: 'CANARY' },
    snapshot: ['CANARY'],
  }
  const text = JSON.stringify(redact(fields))
  t.notRegex(text, /CANARY/)
  t.regex(text, /"requestId":"r1"/)
  t.regex(text, /"content-type":"application\/json"/)
  t.regex(text, /"id":"w1"/)
})

test('the absence of a secret may be shown', (t) => {
  t.deepEqual(redact({ token: null, password: '' }), { token: null, password: '' })
})

test('values without secrets are passed on unchanged, and the given value is never modified', (t) => {
  const plain = { a: 1, list: [1, 2], nested: { b: 'x' }, err: new Error('boom') }
  t.is(redact(plain), plain)
  const secret = { nested: { token: 'abc' } }
  redact(secret)
  t.is(secret.nested.token, 'abc')
})

test('circular or too deep values are cut', (t) => {
  const circle: Record<string, unknown> = { name: 'x' }
  circle.self = circle
  t.notThrows(() => JSON.stringify(redact(circle)))
})
