import test from 'ava'
import { decodeAnswer, decodeRequest, encodeAnswer, encodeError, encodeRequest } from '#shared/bus/requests/envelope.ts'
import { AppError } from '#shared/errors.ts'

const notOurs = ['', 'text', 'null', '1', '[]', '"text"', '{', '{"error"']

test('a request comes back as it was sent', (t) => {
  const request = { requestId: 'r', deadline: 1_700_000_000_000, body: { email: 'ü@example.com', list: [1, null] } }
  t.deepEqual(decodeRequest(encodeRequest(request)), request)
})

test('a text that is not a request is null', (t) => {
  for (const text of [
    ...notOurs,
    '{}',
    '{"requestId":"r"}',
    '{"requestId":1,"deadline":1}',
    '{"requestId":"r","deadline":"1"}',
  ])
    t.is(decodeRequest(text), null, text)
})

test('an answer comes back as it was sent', (t) => {
  for (const body of [null, {}, { refused: 'tls' }, [1, 2], 'text']) t.deepEqual(decodeAnswer(encodeAnswer(body)), body)
})

test('an AppError is transferred with all its fields', (t) => {
  const sent = new AppError('IDENTITY_TOO_MANY_ATTEMPTS', { message: 'm', details: { a: [1] }, retryAfterSeconds: 9 })
  const error = t.throws<AppError>(() => decodeAnswer(encodeError(sent)), { instanceOf: AppError, message: 'm' })
  t.like(error, { name: 'IDENTITY_TOO_MANY_ATTEMPTS', code: 20_009, status: 429 })
  t.deepEqual(error?.details, { a: [1] })
  t.is(error?.retryAfterSeconds, 9)
})

test('any other error is transferred as INTERNAL_ERROR and reveals nothing of itself', (t) => {
  for (const thrown of [new TypeError('canary'), 'canary', { name: 'AppError', message: 'canary' }, null]) {
    const text = encodeError(thrown)
    t.false(text.includes('canary'))
    t.throws(() => decodeAnswer(text), { name: 'INTERNAL_ERROR' })
  }
})

test('an error name this process does not know is INTERNAL_ERROR', (t) => {
  for (const name of ['A_NAME_OF_TOMORROW', 'constructor', '__proto__', '']) {
    const text = JSON.stringify({ error: { name, message: 'm' } })
    t.throws(() => decodeAnswer(text), { name: 'INTERNAL_ERROR' }, name)
  }
})

test('an answer of an unknown shape is INTERNAL_ERROR', (t) => {
  for (const text of notOurs) t.throws(() => decodeAnswer(text), { name: 'INTERNAL_ERROR' }, text)
})
