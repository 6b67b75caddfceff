import test from 'ava'
import { normalPassword, passwordErrors } from '#shared/domain/identity/password.ts'

const acceptable = ['12345678', 'x'.repeat(256), '😀'.repeat(8), 'é'.repeat(256), '😀'.repeat(256), ' spaces count ']
for (const text of acceptable) {
  test(`${text.slice(0, 12)} of ${[...text].length} characters is a password`, (t) => {
    t.deepEqual(passwordErrors(text, 'password'), [])
  })
}

const rejected: Record<string, string> = {
  empty: '',
  'seven characters': '1234567',
  'seven characters of two units each': '😀'.repeat(7),
  '257 characters': 'x'.repeat(257),
  'a lone surrogate': 'password\ud800',
  'seven letters typed as fourteen code points': 'e\u0301'.repeat(7),
}
for (const [what, text] of Object.entries(rejected)) {
  test(`${what}: rejected with the path and never the password`, (t) => {
    const [error, ...more] = passwordErrors(text, 'user.password')
    t.is(more.length, 0)
    t.is(error?.path, 'user.password')
    if (text !== '') t.false(error?.message.includes(text))
  })
}

test('256 characters fit into the bytes a password may have, whatever their script', (t) => {
  t.deepEqual(passwordErrors('\u{10ffff}'.repeat(256), 'password'), [])
})

test('a group may require more characters', (t) => {
  t.deepEqual(passwordErrors('x'.repeat(12), 'password', 12), [])
  t.deepEqual(passwordErrors('x'.repeat(11), 'password', 12), [{ path: 'password', message: 'needs 12 characters' }])
})

test('a password is compared in NFC', (t) => {
  t.is(normalPassword('cafe\u0301'), 'caf\u00e9')
})
