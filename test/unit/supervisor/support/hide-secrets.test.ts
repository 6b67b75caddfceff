import test from 'ava'
import { hideSecrets } from '#services/supervisor/support/hide-secrets.ts'

test('tokens, signing secrets and the users of addresses are removed from any text', (t) => {
  const link = `set up http://127.0.0.1/setup#token=listd_setup_${'a'.repeat(49)} once`
  t.is(hideSecrets(link, []), 'set up http://127.0.0.1/setup#token=[redacted] once')
  t.is(hideSecrets(`"whsec_${'A/+'.repeat(14)}="`, []), '"[redacted]"')
  t.is(hideSecrets('nats://me:word@nats:4222 and nats://nats', []), 'nats://[redacted]@nats:4222 and nats://nats')
})

test('values of settings are removed, and for an address also the password alone, raw and encoded', (t) => {
  const address = 'postgres://listd:pass%20word@db/listd'
  t.is(
    hideSecrets(`${address}, pass word, pass%20word, key-long, key`, [address, 'key-', 'key-long', 'key']),
    ['[redacted]', '[redacted]', '[redacted]', '[redacted]', 'key'].join(', '),
  )
})

test('secrets of other programs are removed by their form, and by the name next to them', (t) => {
  const claims = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'
  const cases: [string, string][] = [
    ['postgres://me:p@ss@db/x', 'postgres://[redacted]@db/x'],
    [`jwt ${claims}.`, 'jwt [redacted].'],
    [`seed SU${'A2'.repeat(28)}`, 'seed [redacted]'],
    ['-----BEGIN PRIVATE KEY-----\nMIIE\n-----END PRIVATE KEY-----\nend', '[redacted]\nend'],
    ['-----BEGIN RSA PRIVATE KEY-----\nMIIE', '[redacted]'],
    ['authorization: Bearer abc.def-1234', 'authorization: Bearer [redacted]'],
    ['Basic bWU6c2VjcmV0 200', 'Basic [redacted] 200'],
    ['cookie: a=1; session=x\nnext', 'cookie: [redacted]\nnext'],
    ['{"set-cookie":"a=1; Path=/","ms":3}', '{"set-cookie":"[redacted]","ms":3}'],
    ['{"currentPassword": "a \\"b", "email": "x"}', '{"currentPassword": "[redacted]", "email": "x"}'],
    ['{"msg":"{\\"password\\":\\"abc\\"}"}', '{"msg":"{\\"password\\":\\"[redacted]\\"}"}'],
    ['AWS_SECRET_ACCESS_KEY=wJalr SMTP_PASSWORD="word"', 'AWS_SECRET_ACCESS_KEY=[redacted] SMTP_PASSWORD="[redacted]"'],
    ['GET /x?api_key=abc&token=def&page=2', 'GET /x?api_key=[redacted]&token=[redacted]&page=2'],
  ]
  for (const [text, expected] of cases) {
    t.is(hideSecrets(text, []), expected)
    t.is(hideSecrets(expected, []), expected)
  }
  const plain =
    '{"tokenId":"a","tokens":3,"token":null,"passwords":{"memoryMib":64},"key":"gateway.port","LISTD_TOKEN_FILE":"/x"}'
  t.is(hideSecrets(plain, []), plain)
})
