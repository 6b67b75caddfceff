import test from 'ava'
import { generateToken, parseToken, tokenHash } from '#shared/crypto/token.ts'

test('a token is prefix, kind, 43 base62 digits and a checksum of six', (t) => {
  for (const kind of ['api', 'session', 'identity'] as const) {
    const token = generateToken(kind)
    t.regex(token, new RegExp(`^listd_${kind}_[0-9A-Za-z]{49}$`))
    t.deepEqual(parseToken(token), { kind })
  }
})

test('two tokens never share their random part', (t) => {
  const tokens = Array.from({ length: 1_000 }, () => generateToken('api'))
  t.is(new Set(tokens).size, tokens.length)
})

test('a text with any one character changed is not a token', (t) => {
  const token = generateToken('session')
  for (let at = 0; at < token.length; at++) {
    const changed = token.slice(0, at) + (token[at] === 'x' ? 'y' : 'x') + token.slice(at + 1)
    t.is(parseToken(changed), null, `position ${at}`)
  }
})

test('the kind is part of the checksum: a session token renamed to an API token is rejected', (t) => {
  t.is(parseToken(generateToken('session').replace('_session_', '_api_')), null)
})

test('garbage is not a token', (t) => {
  const token = generateToken('api')
  const garbage = [
    '',
    'listd',
    'listd_api_',
    `${token}a`,
    token.slice(1),
    ` ${token}`,
    `${token}\n`,
    'x'.repeat(1_000_000),
  ]
  for (const text of [...garbage, token.toLowerCase(), token.replace('listd', 'listx')]) t.is(parseToken(text), null)
})

test('the stored value of a token is its SHA-256 in hex', (t) => {
  t.is(tokenHash('abc'), 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
