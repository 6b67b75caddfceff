import test from 'ava'
import { identityLoginKeys, loginAttemptKey, loginKey } from '#shared/domain/identity/sign-in.ts'

test('a name and an email are found by their caseless forms within the group', (t) => {
  t.deepEqual(loginKey({ group: 'staff', name: ' ADA ' }), { group: 'staff', nameKey: 'ada' })
  t.deepEqual(loginKey({ group: null, email: 'Ada@Example.com' }), { group: null, emailKey: 'ada@example.com' })
})

test('a name that no identity can have is not looked up', (t) => {
  for (const name of ['', 'a/b', 'a\u0000b', 'x'.repeat(101)]) t.is(loginKey({ group: null, name }), null)
  t.is(loginKey({ group: null, email: 'nobody' }), null)
  for (const group of ['', ' x', 'ä']) t.is(loginKey({ group, name: 'ada' }), null)
})

test('every way to write a name counts as the same attempt', (t) => {
  const attempt = loginAttemptKey('account', { group: 'staff', name: 'Ada' }, undefined)
  t.deepEqual(loginAttemptKey('account', { group: 'staff', name: ' ADA\n' }, undefined), attempt)
  const others = [
    loginAttemptKey('other', { group: 'staff', name: 'Ada' }, undefined),
    loginAttemptKey('account', { group: 'Staff', name: 'Ada' }, undefined),
    loginAttemptKey('account', { group: null, name: 'Ada' }, undefined),
    loginAttemptKey('account', { group: 'staff', email: 'Ada' }, undefined),
    loginAttemptKey('account', { group: 'staff', name: 'Ada2' }, undefined),
  ]
  for (const other of others) t.notDeepEqual(other, attempt)
})

test('logins by the name and by the email of an identity are counted separately, whatever the two are', (t) => {
  const { byName, byEmail } = identityLoginKeys('account', 'id')
  t.notDeepEqual(byName, byEmail)
  for (const name of ['Ada', 'Augusta']) t.deepEqual(loginAttemptKey('account', { group: 'staff', name }, 'id'), byName)
  t.deepEqual(loginAttemptKey('account', { group: 'staff', email: 'ada@example.com' }, 'id'), byEmail)
  t.notDeepEqual(loginAttemptKey('account', { group: 'staff', name: 'Ada' }, undefined), byName)
})
