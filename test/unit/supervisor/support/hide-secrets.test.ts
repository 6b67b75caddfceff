import test from 'ava'
import { hideSecrets } from '#services/supervisor/support/hide-secrets.ts'

test('tokens, signing secrets and the users of addresses are cut out of a text, no matter who wrote them there', (t) => {
  const link = `set up http://127.0.0.1/setup#token=listd_setup_${'a'.repeat(49)} once`
  t.is(hideSecrets(link, []), 'set up http://127.0.0.1/setup#token=[redacted] once')
  t.is(hideSecrets(`"whsec_${'A/+'.repeat(14)}="`, []), '"[redacted]"')
  t.is(hideSecrets('nats://me:word@nats:4222 and nats://nats', []), 'nats://[redacted]@nats:4222 and nats://nats')
})

test('values of settings are cut out, of an address also the password alone, as it is and as it is written', (t) => {
  const address = 'postgres://listd:pass%20word@db/listd'
  t.is(
    hideSecrets(`${address}, pass word, pass%20word, key-long, key`, [address, 'key-', 'key-long', 'key']),
    ['[redacted]', '[redacted]', '[redacted]', '[redacted]', 'key'].join(', '),
  )
})
