import test from 'ava'
import { entries } from '#shared/config/entries.ts'

function ruleOf(key: string) {
  const entry = entries.find((candidate) => candidate.key === key)
  if (!entry) throw new Error(`no key ${key}`)
  return entry.setting.rule
}

/** Whether the setting accepts the text of a variable, read as the loader does. */
const accepts = (key: string, text: string): boolean => ruleOf(key).accepts(ruleOf(key).fromText(text) ?? text)

const table: { key: string; good: string[]; bad: string[] }[] = [
  { key: 'dataDir', good: ['./data', '/srv/listd'], bad: [''] },
  { key: 'ops.host', good: ['', '127.0.0.1', '::'], bad: ['a b', 'http://x'] },
  { key: 'gateway.host', good: ['127.0.0.1', '::', 'localhost', '0.0.0.0'], bad: ['', 'a b', 'http://x'] },
  { key: 'gateway.port', good: ['0', '65535'], bad: ['', '-1', '65536', '3000.5', '0x10', '1e3', ' 1', 'http'] },
  {
    key: 'gateway.publicUrl',
    good: ['', 'https://api.example.com', 'http://localhost:3000/'],
    bad: ['api.example.com', 'ftp://x', 'https://x/path', 'https://u:p@x', 'https://x?a=1'],
  },
  {
    key: 'gateway.trustedProxies',
    good: ['10.0.0.1', '10.0.0.0/8,fd00::/8'],
    bad: ['proxy', '10.0.0.0/33', '1.2.3.4/8/9'],
  },
  { key: 'webhooks.allowCidrs', good: ['', '127.0.0.0/8', '::1/128'], bad: ['::1/129', '300.0.0.0/8', '1.2.3.0/'] },
  {
    key: 'notifications.url',
    good: ['', 'https://hooks.example.com/listd', 'http://127.0.0.1:8080/'],
    bad: ['hooks.example.com', 'ftp://hooks.example.com/'],
  },
  {
    key: 'notifications.secret',
    good: ['', `whsec_${Buffer.alloc(24, 1).toString('base64')}`, `whsec_${Buffer.alloc(64, 1).toString('base64')}`],
    bad: ['whsec_', 'canary-pass', `whsec_${Buffer.alloc(23, 1).toString('base64')}`, `whsec_${'A'.repeat(30)}`],
  },
  { key: 'webhooks.allowHttp', good: ['true', 'false'], bad: ['', 'https', '127.0.0.0/8'] },
  {
    key: 'webhooks.retrySeconds',
    good: ['1,1,1,1,1,1,1', '0.01,0,0,0,0,0,0.5'],
    bad: ['1,2,3', '1,1,1,1,1,1,1,1', '1,1,1,1,1,1,-1', '1,1,1,1,1,1,', '', '1,1,1,1,1,1,x'],
  },
  {
    key: 'webhooks.headerPrefix',
    good: ['x-service', 'acme', 'x-webhook'],
    bad: ['', 'X-Acme', 'x-', 'x:y', '-x', 'webhook'],
  },
  { key: 'webhooks.timeoutMs', good: ['10', '10000'], bad: ['0', '9', '120001'] },
  { key: 'passwords.memoryMib', good: ['19', '64'], bad: ['18', '0', '64.5', '257'] },
  { key: 'passwords.operations', good: ['2', '3'], bad: ['1', '0', '9'] },
  {
    key: 'database.url',
    good: ['', 'sqlite:/tmp/x.db', 'postgres://u:p@h/db', 'postgresql://u:p%2F@h:5432/db', 'mysql://[::1]:3306/db'],
    bad: [
      'sqlite:',
      'h/db',
      'mongodb://h/db',
      'postgres://h',
      'mysql://h/',
      'mysql:///db',
      'postgres://h/db/more',
      'postgres://h/db?sslmode=disable',
      'mysql://h/db?ssl={}',
      'postgres://h/db#x',
      'postgres://u:%ff@h/db',
    ],
  },
  { key: 'database.tls', good: ['true', 'false', '0', '1'], bad: ['', 'yes', 'TRUE'] },
  { key: 'nats.url', good: ['', 'nats://h:4222', 'tls://u:p@h'], bad: ['h:4222', 'http://h', 'nats://'] },
  { key: 'admin.email', good: ['', 'a@example.com'], bad: ['a', 'a b@c', '@x'] },
  { key: 'admin.password', good: ['', '12345678'], bad: ['1234567', 'x'.repeat(257)] },
  {
    key: 'secrets.masterKey',
    good: ['', 'A'.repeat(43), `${'A'.repeat(43)}=`, '_-'.padEnd(43, 'a')],
    bad: ['A'.repeat(42), 'A'.repeat(44), 'not base64 at all '.padEnd(43, '!')],
  },
  { key: 'log.level', good: ['info', 'silent'], bad: ['', 'INFO', 'fatal'] },
  {
    key: 'plans',
    good: [
      '{"scale":{"name":"Scale"}}',
      '{"scale":{"name":"Scale","maxWebhooks":null}}',
      '{"scale":{"name":"S","maxWebhooks":0},"x":{"name":"X","maxWebhooks":3}}',
    ],
    bad: [
      '',
      'scale',
      '[]',
      '{}',
      '{"free":{"name":"F","maxWebhooks":1}}',
      '{"scale":{"name":"S","maxWebhooks":-1}}',
      '{"scale":{"name":"S","maxWebhooks":1,"maxWebhoks":2}}',
    ],
  },
]

for (const { key, good, bad } of table) {
  test(`${key} accepts what its rule says and nothing else`, (t) => {
    for (const text of good) t.true(accepts(key, text), `${key}=${text}`)
    for (const text of bad) t.false(accepts(key, text), `${key}=${text}`)
  })
}

test('a JSON file has values of their own type, not text', (t) => {
  t.false(ruleOf('gateway.port').accepts('3000'))
  t.false(ruleOf('nats.tls').accepts('true'))
  t.false(ruleOf('webhooks.allowCidrs').accepts('10.0.0.0/8'))
  t.false(ruleOf('gateway.host').accepts(null))
  t.false(ruleOf('webhooks.retrySeconds').accepts(['1', 1, 1, 1, 1, 1, 1]))
})

test('every key has a description of one sentence', (t) => {
  for (const { key, setting } of entries) t.regex(setting.about, /^[A-Z].*[.]$/, key)
})
