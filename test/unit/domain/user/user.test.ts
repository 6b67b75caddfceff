import test from 'ava'
import { emailErrors, emailKey, normalEmail } from '#shared/domain/user/user.ts'

const same: [string, string][] = [
  ['Ada@Example.COM', 'ada@example.com'],
  ['  ada@example.com\n', 'ada@example.com'],
  ['cafe\u0301@example.com', 'CAF\u00c9@example.com'],
]
for (const [one, other] of same) {
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} are one address`, (t) => {
    t.is(emailKey(one), emailKey(other))
  })
}

test('an address is kept as it was written, trimmed and in NFC', (t) => {
  t.is(normalEmail(' Cafe\u0301@Example.com '), 'Caf\u00e9@Example.com')
})

for (const email of ['a@b', 'ada.lovelace+tag@example.com', 'ünï@exämple.com', `${'x'.repeat(248)}@a.com`]) {
  test(`${email.slice(0, 30)} is an email address`, (t) => t.deepEqual(emailErrors(email, 'email'), []))
}

const rejected: Record<string, string> = {
  empty: '',
  'without @': 'ada',
  'with two @': 'ada@b@c',
  'nothing before the @': '@example.com',
  'nothing after the @': 'ada@',
  'white space inside': 'ada lovelace@example.com',
  'a control character': 'ada\u0000@example.com',
  'a line break inside': 'ada@exam\nple.com',
  'a lone surrogate': 'ada\ud800@example.com',
  'a zero-width space': 'ada\u200b@example.com',
  'a right-to-left mark': 'ada@example.com\u200f',
  '255 characters': `${'x'.repeat(249)}@a.com`,
  'a key longer than its column': `${'ß'.repeat(200)}@a.com`,
}
for (const [what, email] of Object.entries(rejected)) {
  test(`${what}: rejected with the path`, (t) => {
    t.deepEqual(
      emailErrors(email, 'user.email').map(({ path }) => path),
      ['user.email'],
    )
  })
}
