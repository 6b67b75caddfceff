import test from 'ava'
import { failureStatus, messageForCaller, rejectionOf } from '#shared/domain/flow/run/failure.ts'
import { hiddenError } from '#shared/domain/item/guard.ts'
import { AppError, validationFailed } from '#shared/errors.ts'

test('an error of a rule in a run is never 400, and names its subject', (t) => {
  const first = { path: 'where.n', message: 'is not known' }
  const rejection = (error: AppError) => Object.values(rejectionOf(error)).join(' ')
  const second = { path: 'order', message: 'x' }
  t.is(rejection(validationFailed([first, second])), 'VALIDATION_FAILED where.n is not known 422')
  const index = new AppError('INDEX_NOT_USABLE', { message: 'No.', details: { index: 'n' } })
  t.is(rejection(index), 'INDEX_NOT_USABLE n: No. 422')
  t.regex(rejection(new AppError('QUESTION_TOO_BROAD')), /^QUESTION_TOO_BROAD Too many .* 422$/)
  t.regex(rejection(new AppError('ITEM_LOCKED')), / 409$/)
  t.regex(rejection(new AppError('MAX_ITEMS_EXCEEDED')), / 403$/)
})

test('a schema error at a hidden value is reported as a sentence', (t) => {
  const message = (error: object) =>
    rejectionOf(new AppError('ITEM_SCHEMA_INVALID', { details: { errors: [error] } })).message
  t.is(message(hiddenError), `the item does not match the schema of its list: ${hiddenError.message}`)
  t.is(message({ path: 'data.n', message: 'is bad' }), 'the item does not match the schema of its list: data.n is bad')
})

test('a caller receives a sentence that depends only on the code, not on the message of the failure', (t) => {
  const codes = Object.keys(failureStatus).filter((code) => code !== 'REQUIRE_FAILED')
  for (const code of [...codes, 'ITEM_PATCH_FAILED', 'INDEX_NOT_USABLE', 'PAYLOAD_TOO_LARGE', 'constructor', 'OTHER']) {
    const sentence = messageForCaller({ code, message: 'a secret' })
    t.regex(sentence, /^[^"]{15,}$/, code)
    t.is(sentence, messageForCaller({ code, message: 'another' }), code)
    t.false(sentence.includes('secret'), code)
  }
  t.true(messageForCaller({ code: 'NOT_FOUND', message: '' }).startsWith('an item, list or identity'))
  t.is(messageForCaller({ code: 'REQUIRE_FAILED', message: 'Sign in.' }), 'Sign in.')
})
