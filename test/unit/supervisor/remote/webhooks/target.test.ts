import test from 'ava'
import { readTarget } from '#services/supervisor/remote/webhooks/target.ts'

test('deliveries are forwarded to this machine, a private network, or by https', (t) => {
  const allowed = [
    'http://localhost:3000/hook?from=listd',
    'http://api.localhost/',
    'http://127.0.0.1:8080/',
    'http://[::1]:8080/',
    'http://192.168.1.20/',
    'http://10.1.2.3/',
    'http://[fd00::1]/',
    'https://tunnel.example.com/hook',
    'https://203.0.113.7/',
  ]
  for (const url of allowed) t.is(readTarget(url), url)
  t.is(readTarget('http://localhost:3000'), 'http://localhost:3000/')
})

test('they are not sent unencrypted over other networks, whatever name an address has', (t) => {
  const rejected = [
    'http://example.com/',
    'http://localhost.example.com/',
    'http://203.0.113.7/',
    'http://[2001:4860::1]/',
    'http://[::ffff:127.0.0.1]/',
    'http://0x8.8.8.8/',
    'http://11.1.2.3/',
  ]
  for (const url of rejected)
    t.throws(() => readTarget(url), { message: /^--to would send deliveries unencrypted/ }, url)
})

test('anything that is not an address is reported, and not shown', (t) => {
  for (const text of [
    'localhost:3000',
    'ftp://localhost/',
    'http://ada:hidden@localhost/',
    'http://localhost/#a',
    '',
  ]) {
    const { message } = t.throws(() => readTarget(text), undefined, text) ?? { message: '' }
    t.regex(message, /^--to must be an address such as http:\/\/localhost:3000\/hook, [^@]*$/)
  }
})
