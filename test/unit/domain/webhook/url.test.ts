import test from 'ava'
import { portOf, urlRulesOf, webhookUrlError } from '#shared/domain/webhook/url.ts'

const accepted = [
  'https://example.com',
  'https://example.com/',
  'HTTPS://Example.COM/Hook',
  'https://hooks.example.com:443/a/b?c=d',
  'https://example.com?token=a@b',
  'https://example.com/@name',
  'https://example.com:1024/',
  'https://example.com:8443/',
  'https://example.com:65535/',
  'https://8.8.8.8/hook',
  'https://[2606:4700:4700::1111]/hook',
  'https://bücher.example/',
  'https://a-b.c3.example/',
  'https://notlocalhost.example/',
  'https://local.example/',
]

const invalid = [
  '',
  'example.com/hook',
  '//example.com/hook',
  'https:example.com',
  'https:/example.com',
  'https:///example.com',
  'https://',
  'https://exa mple.com/',
  'https://example.com/a b',
  ' https://example.com/',
  'https://example.com/\n',
  'https://example.com/\u0085',
  'https://example.com/\u3000',
  'https://example.com\\@evil.example/',
  'https://example.com/\\',
  'https://example.com/\u0000',
  'https://example.com/\ud800',
  'https://user@example.com/',
  'https://user:password@example.com/',
  'https://@example.com/',
  'https://:@example.com/',
  'https://example.com/#part',
  'https://example.com/#',
  'https://example.com:80/',
  'https://example.com:0/',
  'https://example.com:1023/',
  'https://example.com:65536/',
  'https://example.com:6000/',
  'https://example.com:6667/',
  'https://example.com:10080/',
  'https://intranet/',
  'https://example.com./',
  'https://a..example.com/',
  'https://foo_bar.example.com/',
  'https://-a.example.com/',
  'https://a-.example.com/',
  `https://${'a'.repeat(64)}.example.com/`,
  `https://${'a.'.repeat(126)}example.com/`,
  'https://999.1.1.1/',
  'https://[::1/',
  'https://[fe80::1%25eth0]/',
  `https://example.com/${'a'.repeat(2048 - 19)}`,
]

const notHttps = [
  'http://example.com/',
  'ftp://example.com/',
  'javascript:alert(1)',
  'file:///etc/passwd',
  'wss://example.com',
]

const privateOnes = [
  'https://localhost/',
  'https://localhost./',
  'https://LOCALHOST:8443/',
  'https://a.localhost/',
  'https://a.localdomain/',
  'https://printer.local/',
  'https://db.internal/',
  'https://api.default.svc/',
  'https://1.0.0.127.in-addr.arpa/',
  'https://router.home.arpa/',
  'https://127.0.0.1/',
  'https://127.1/',
  'https://0x7f.1/',
  'https://2130706433/',
  'https://0177.0.0.1/',
  'https://１２７.0.0.1/',
  'https://10.0.0.1:8443/',
  'https://169.254.169.254/latest/meta-data',
  'https://168.63.129.16/',
  'https://[::1]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:8.8.8.8]/',
  'https://[fe80::1]/',
  'https://[::7f00:1]/',
]

const strict = urlRulesOf({ allowCidrs: [], allowHttp: false })

for (const url of accepted) test(`accepts ${url}`, (t) => t.is(webhookUrlError(url, strict), null))
for (const url of invalid)
  test(`${JSON.stringify(url)} is invalid`, (t) => t.is(webhookUrlError(url, strict), 'invalid'))
for (const url of notHttps) test(`${url} is not https`, (t) => t.is(webhookUrlError(url, strict), 'not-https'))
for (const url of privateOnes)
  test(`${url} is a private address`, (t) => t.is(webhookUrlError(url, strict), 'private-address'))

test('a url of 2,048 characters is accepted', (t) => {
  t.is(webhookUrlError(`https://example.com/${'a'.repeat(2048 - 20)}`, strict), null)
})

test('allowed networks allow their addresses and any name', (t) => {
  const rules = urlRulesOf({ allowCidrs: ['10.0.0.0/8', '::1/128'], allowHttp: false })
  for (const url of [
    'https://10.1.2.3/',
    'https://[::1]:8443/',
    'https://localhost/',
    'https://my_service:8443/',
    'https://a.svc/',
  ]) {
    t.is(webhookUrlError(url, rules), null, url)
  }
  t.is(webhookUrlError('https://127.0.0.1/', rules), 'private-address')
  t.is(webhookUrlError('https://[::ffff:10.1.2.3]/', rules), 'private-address')
})

test('allowed networks relax no other rule', (t) => {
  const rules = urlRulesOf({ allowCidrs: ['0.0.0.0/0', '::/0'], allowHttp: false })
  t.is(webhookUrlError('http://localhost/', rules), 'not-https')
  for (const url of ['https://localhost:80/', 'https://user@localhost/', 'https://localhost/#a', 'https://a..b/']) {
    t.is(webhookUrlError(url, rules), 'invalid', url)
  }
})

const withHttp = urlRulesOf({ allowCidrs: ['10.0.0.0/8', '::1/128'], allowHttp: true })

const overHttp: [url: string, error: ReturnType<typeof webhookUrlError>][] = [
  ['http://10.1.2.3/', null],
  ['http://10.1.2.3:80/', null],
  ['HTTP://10.1.2.3:8080/hook?a=b', null],
  ['http://[::1]:3000/', null],
  ['http://localhost:3000/', null],
  ['http://my_service/', null],
  ['https://10.1.2.3/', null],
  ['https://example.com/', null],
  ['http://8.8.8.8/', 'not-https'],
  ['http://[2606:4700:4700::1111]/', 'not-https'],
  ['http://127.0.0.1/', 'private-address'],
  ['http://[::ffff:10.1.2.3]/', 'private-address'],
  ['http://10.1.2.3:443/', 'invalid'],
  ['http://10.1.2.3:81/', 'invalid'],
  ['http://10.1.2.3:6000/', 'invalid'],
  ['https://10.1.2.3:80/', 'invalid'],
  ['http://me@10.1.2.3/', 'invalid'],
  ['http://10.1.2.3/#a', 'invalid'],
  ['http:/10.1.2.3/', 'invalid'],
  ['ftp://10.1.2.3/', 'not-https'],
  ['ws://10.1.2.3/', 'not-https'],
]
for (const [url, error] of overHttp) {
  test(`if http is allowed for the operator's networks, ${url} is ${error ?? 'accepted'}`, (t) => {
    t.is(webhookUrlError(url, withHttp), error)
  })
}

test('http needs allowed networks', (t) => {
  const rules = urlRulesOf({ allowCidrs: [], allowHttp: true })
  for (const url of ['http://example.com/', 'http://8.8.8.8/', 'http://localhost/']) {
    t.is(webhookUrlError(url, rules), 'not-https', url)
  }
})

test('a url without a port uses that of its scheme', (t) => {
  const ports = ['https://a.example/', 'http://a.example/', 'http://a.example:8080/'].map((url) => portOf(new URL(url)))
  t.deepEqual(ports, [443, 80, 8080])
})
