import test from 'ava'
import { changedIdentity, normalIdentityBody } from '#shared/domain/identity/change.ts'
import type { Identity } from '#shared/domain/identity/identity.ts'
import type { AppError } from '#shared/errors.ts'

const before: Identity = {
  id: 'id',
  accountId: 'account',
  createdAt: 1,
  updatedAt: 1,
  name: 'Ada',
  displayName: 'Ada',
  group: null,
  tags: [],
  email: 'ada@example.com',
  emailVerified: true,
  hasPassword: true,
  lastLoginAt: null,
  activated: true,
}

const samePassword = { hasNewPassword: false, now: 2 }

test('texts are stored trimmed and in NFC, tags in lower case and once', (t) => {
  const body = { name: ' Zoe\u0308 ', displayName: ' Z ', email: ' z@example.com', tags: ['A', 'a'] }
  t.deepEqual(normalIdentityBody(body), { name: 'Zoë', displayName: 'Z', email: 'z@example.com', tags: ['a'] })
  t.deepEqual(normalIdentityBody({ email: null }), { email: null })
})

test('fields that a body omits stay unchanged', (t) => {
  t.deepEqual(changedIdentity(before, { activated: false }, samePassword), {
    ...before,
    activated: false,
    updatedAt: 2,
  })
})

test('another email is unverified, unless the body says otherwise', (t) => {
  const verified = (body: object) => changedIdentity(before, body, samePassword).emailVerified
  t.true(verified({ name: 'x' }))
  t.true(verified({ email: ' ada@example.com ' }))
  t.false(verified({ email: 'other@example.com' }))
  t.false(verified({ email: null }))
  t.true(verified({ email: 'other@example.com', emailVerified: true }))
  t.false(verified({ emailVerified: false }))
})

test('an identity without an email cannot be verified', (t) => {
  const error = t.throws<AppError>(() => changedIdentity(before, { email: null, emailVerified: true }, samePassword))
  t.like(error?.details, { errors: [{ path: 'emailVerified' }] })
})

test('an identity whose password is set has a password', (t) => {
  const without = { ...before, hasPassword: false }
  t.true(changedIdentity(without, {}, { hasNewPassword: true, now: 2 }).hasPassword)
  t.false(changedIdentity(without, {}, { hasNewPassword: false, now: 2 }).hasPassword)
})
