import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test, { type ExecutionContext } from 'ava'
import { ConfigError } from '#shared/config/config-error.ts'
import { entries } from '#shared/config/entries.ts'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { envName } from '#shared/config/sources/env-name.ts'
import { testFolder } from '../../support/test-context/folder.ts'

type Env = Record<string, string>

const load = (env: Env, cwd = '/srv'): Config => loadConfig({ env, cwd })

function errorsOf(env: Env): ConfigError['errors'] {
  try {
    load(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.errors
    throw error
  }
  return []
}

function messageOf(env: Env): string {
  try {
    load(env)
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
  return ''
}

async function fileWith(t: ExecutionContext, text: string): Promise<string> {
  const path = join(await testFolder(t), 'settings.json')
  await writeFile(path, text)
  return path
}

test('without any setting the defaults of the contract apply', (t) => {
  const config = load({})
  t.is(config.dataDir, '/srv/data')
  t.like(config.gateway, { host: '127.0.0.1', port: 3000, publicUrl: 'http://127.0.0.1:3000', opsPort: 0 })
  t.deepEqual([...config.gateway.trustedProxies], [])
  t.like(config.dispatcher, { leaseSeconds: 30, concurrency: 256, opsPort: 0 })
  t.deepEqual([...config.webhooks.retrySeconds], [30, 120, 600, 3600, 10800, 21600, 43200])
  t.like(config.webhooks, { timeoutMs: 10000, maxWaiting: 1000, disableAfter: 20, retentionDays: 30 })
  t.is(config.webhooks.headerPrefix, 'x-service')
  t.like(config.passwords, { memoryMib: 64, operations: 2 })
  t.is(config.events.retentionDays, 90)
  t.is(config.items.maxBytes, 1024 * 1024)
  t.deepEqual([config.nats.url, config.database.url, config.secrets.masterKey], ['', '', ''])
})

test('the plans allow 1, 5, 20 and 50 webhooks', (t) => {
  const { plans } = load({})
  const limits = Object.entries(plans).map(([id, { maxWebhooks }]) => [id, maxWebhooks])
  t.deepEqual(limits, [
    ['free', 1],
    ['indie', 5],
    ['pro', 20],
    ['scale', 50],
  ])
})

test('the variable of a key is its path in upper snake case', (t) => {
  const names = Object.fromEntries(entries.map(({ key }) => [key, envName(key)]))
  t.like(names, {
    dataDir: 'LISTD_DATA_DIR',
    'gateway.publicUrl': 'LISTD_GATEWAY_PUBLIC_URL',
    'gateway.trustedProxies': 'LISTD_GATEWAY_TRUSTED_PROXIES',
    'dispatcher.leaseSeconds': 'LISTD_DISPATCHER_LEASE_SECONDS',
    'identity.opsPort': 'LISTD_IDENTITY_OPS_PORT',
    'secrets.masterKey': 'LISTD_SECRETS_MASTER_KEY',
    'webhooks.allowCidrs': 'LISTD_WEBHOOKS_ALLOW_CIDRS',
    'webhooks.allowHttp': 'LISTD_WEBHOOKS_ALLOW_HTTP',
    'webhooks.caFile': 'LISTD_WEBHOOKS_CA_FILE',
    'webhooks.timeoutMs': 'LISTD_WEBHOOKS_TIMEOUT_MS',
    'passwords.memoryMib': 'LISTD_PASSWORDS_MEMORY_MIB',
  })
})

test('an option of the command line overrides a variable, and its errors name it', (t) => {
  const given = (text: string) => [{ key: 'gateway.port', option: '--port', text }]
  const env = { LISTD_GATEWAY_PORT: '5000' }
  t.like(loadConfig({ env, given: given('6000') }).gateway, { port: 6000, publicUrl: 'http://127.0.0.1:6000' })
  t.throws(() => loadConfig({ env, given: given('none') }), {
    message: /gateway\.port: "none" \(from --port\) must be a whole number/,
  })
})

test('a variable overrides the file that LISTD_CONFIG names, which overrides the default', async (t) => {
  const path = await fileWith(t, '{"gateway": {"port": 4000, "host": "0.0.0.0"}, "log": {"level": "warn"}}')
  const config = load({ LISTD_CONFIG: path, LISTD_GATEWAY_PORT: '5000' })
  t.like(config.gateway, { port: 5000, host: '0.0.0.0', opsPort: 0, publicUrl: 'http://127.0.0.1:5000' })
  t.is(config.log.level, 'warn')
})

test('variables of other programs are ignored', (t) => {
  t.notThrows(() => load({ PORT: 'x', NODE_ENV: 'production', LIST: 'y' }))
})

test('numbers, booleans and comma separated arrays are read from text', (t) => {
  const config = load({
    LISTD_NATS_TLS: '1',
    LISTD_DATABASE_TLS: 'false',
    LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8, ::1/128',
    LISTD_WEBHOOKS_RETRY_SECONDS: '0.05,0.1,0.2,0.4,1,2,3.5',
    LISTD_GATEWAY_TRUSTED_PROXIES: '',
  })
  t.deepEqual([config.nats.tls, config.database.tls], [true, false])
  t.deepEqual([...config.webhooks.allowCidrs], ['127.0.0.0/8', '::1/128'])
  t.deepEqual([...config.webhooks.retrySeconds], [0.05, 0.1, 0.2, 0.4, 1, 2, 3.5])
  t.deepEqual([...config.gateway.trustedProxies], [])
})

test('paths count from the working directory; empty ones stay empty', (t) => {
  const config = load({ LISTD_DATA_DIR: 'db', LISTD_WEBHOOKS_CA_FILE: '/etc/ca.pem' }, '/srv/me')
  t.is(config.dataDir, '/srv/me/db')
  t.is(config.webhooks.caFile, '/etc/ca.pem')
  t.is(config.nats.serverPath, '')
})

test('an IPv6 host is in brackets in the public URL, and a public URL loses its last slash', (t) => {
  t.is(load({ LISTD_GATEWAY_HOST: '::1' }).gateway.publicUrl, 'http://[::1]:3000')
  t.is(load({ LISTD_GATEWAY_PUBLIC_URL: 'https://api.example.com/' }).gateway.publicUrl, 'https://api.example.com')
})

test('the configuration cannot be changed', (t) => {
  const config = load({})
  t.true(Object.isFrozen(config))
  t.true(Object.isFrozen(config.gateway))
  t.true(Object.isFrozen(config.webhooks.retrySeconds))
  t.true(Object.isFrozen(config.plans.scale))
})

test('a secret is read from the file its variable names, without the line break at its end', async (t) => {
  const path = await fileWith(t, 'p\u00e4ssw\u00f6rd geheim\n')
  const config = load({ LISTD_ADMIN_EMAIL: 'a@example.com', LISTD_ADMIN_PASSWORD_FILE: path })
  t.is(config.admin.password, 'pässwörd geheim')
})

test('only secrets are read from files', (t) => {
  const [error, ...others] = errorsOf({ LISTD_GATEWAY_PORT_FILE: '/etc/port' })
  t.is(error?.rule, 'is not a known variable')
  t.is(others.length, 0)
})

test('a secret that is set twice, or in a file that cannot be read, is rejected', async (t) => {
  const path = await fileWith(t, '12345678')
  const twice = errorsOf({ LISTD_ADMIN_PASSWORD: 'geheimnis', LISTD_ADMIN_PASSWORD_FILE: path })
  t.like(twice[0], { key: 'admin.password', source: 'LISTD_ADMIN_PASSWORD_FILE' })
  t.regex(twice[0]?.rule ?? '', /together with LISTD_ADMIN_PASSWORD/)
  const missing = errorsOf({ LISTD_ADMIN_PASSWORD_FILE: '/nowhere/password' })
  t.regex(missing[0]?.rule ?? '', /readable file \(ENOENT\)/)
  t.is(missing[0]?.value, '"/nowhere/password"')
})

test('an unknown variable is rejected, and the error names the most similar one', (t) => {
  const [error] = errorsOf({ LISTD_GATEWAY_PROT: '3001' })
  t.deepEqual(error, {
    key: 'LISTD_GATEWAY_PROT',
    value: '"3001"',
    source: 'the environment',
    rule: 'is not a known variable',
    nearest: 'LISTD_GATEWAY_PORT',
  })
  t.is(errorsOf({ LISTD_CONFG: 'x.json' })[0]?.nearest, 'LISTD_CONFIG')
  t.is(errorsOf({ LISTD_SECRETS_MASTERKEY_FILE: 'x' })[0]?.nearest, 'LISTD_SECRETS_MASTER_KEY_FILE')
})

test('an unknown key of a file is rejected at every depth, and the error names the most similar one', async (t) => {
  const path = await fileWith(
    t,
    '{"gatway": {"port": 1}, "webhooks": {"timeout": 5}, "__proto__": 1, "gateway.port": 4}',
  )
  const errors = errorsOf({ LISTD_CONFIG: path })
  t.deepEqual(
    errors.map(({ key, source }) => ({ key, source })),
    ['gatway', 'webhooks.timeout', '__proto__', 'gateway.port'].map((key) => ({ key, source: path })),
  )
  t.deepEqual([errors[0]?.nearest, errors[1]?.nearest], ['gateway', 'webhooks.timeoutMs'])
  t.is(errors[3]?.rule, 'is not a known key: write nested objects instead of a dotted name')
})

test('every error of every source is reported at once, each with key, value, source and rule', async (t) => {
  const path = await fileWith(t, '{"gateway": {"port": "3000", "hots": "x"}, "nats": 5, "log": {"level": "loud"}}')
  const message = messageOf({
    LISTD_CONFIG: path,
    LISTD_DISPATCHER_CONCURRENCY: '0',
    LISTD_WEBHOOKS_TIMEOUT_MS: 'soon',
    LISTD_ITEMS_MAX_BYTE: '5',
    LISTD_PLANS: '{"scale":{"name":"S","maxFlow":3}}',
  })
  for (const expected of [
    `gateway.port: "3000" (from ${path}) must be a whole number from 0 to 65535`,
    `gateway.hots: "x" (from ${path}) is not a known key; did you mean gateway.host?`,
    `nats: 5 (from ${path}) must be an object with url, `,
    `log.level: "loud" (from ${path}) must be one of trace, debug, info, warn, error, silent`,
    'dispatcher.concurrency: 0 (from LISTD_DISPATCHER_CONCURRENCY) must be a whole number from 1 to 10000',
    'webhooks.timeoutMs: "soon" (from LISTD_WEBHOOKS_TIMEOUT_MS) must be a whole number from 10 to 120000',
    'LISTD_ITEMS_MAX_BYTE: "5" (from the environment) is not a known variable; did you mean LISTD_ITEMS_MAX_BYTES?',
    'plans.scale.maxFlow: 3 (from LISTD_PLANS) is not a known limit; did you mean plans.scale.maxFlows?',
  ]) {
    t.true(message.includes(expected), `${expected}\n--- is not in ---\n${message}`)
  }
})

test('an error names a file that is missing, unreadable or not a JSON object', async (t) => {
  t.regex(
    messageOf({ LISTD_CONFIG: '/nowhere/x.json' }),
    /\n {2}LISTD_CONFIG: "\/nowhere\/x\.json" \(from the environment\) cannot be read: it does not exist$/,
  )
  const broken = await fileWith(t, '{"gateway": {')
  t.regex(messageOf({ LISTD_CONFIG: broken }), /is not valid JSON/)
  t.regex(messageOf({ LISTD_CONFIG: await fileWith(t, '[]') }), /must contain a JSON object/)
})

test('no message shows a secret, not even one under a misspelled name', async (t) => {
  const path = await fileWith(
    t,
    '{"secrets": {"masterKey": "CANARY-1"}, "admin": {"pasword": "CANARY-2"}, "secretz": {"masterKey": "CANARY-3"},' +
      ' "database": {"url": "oracle://u:CANARY-4@h/db"}}',
  )
  const message = messageOf({
    LISTD_CONFIG: path,
    LISTD_ADMIN_PASSWORD: 'CAN-5',
    LISTD_ADMIN_PASSWRD: 'CANARY-6',
    LISTD_NATS_URL: 'http://u:CANARY-7@h',
    LISTD_DB_URL: 'postgres://u:CANARY-8@h/db',
    LISTD_SECRETS_MASTER_KY: 'CANARY-9',
  })
  t.notRegex(message, /CAN/)
  t.regex(message, /admin\.pasword: \[redacted\]/)
  t.regex(message, /secrets\.masterKey: \[redacted\]/)
  t.is(message.split('\n').length - 1, 9)
})

test('a message about a text in place of a group, an address under any name, or unreadable JSON shows no secret either', async (t) => {
  const path = await fileWith(
    t,
    '{"database": "CANARY-1", "admin": "CANARY-2", "gateway": {"proxy": "http://u:CANARY-3@h"}}',
  )
  const address = 'postgres://u:CANARY-4@h/db'
  const own = { LISTD_POSTGRES: address, LISTD_DATABASE: address, LISTD_ADMIN: 'CANARY-5', LISTD_PW: 'CANARY-6' }
  const message = messageOf({ LISTD_CONFIG: path, ...own, LISTD_GATEWAY_PUBLIC_URL: 'https://u:CANARY-7@h' })
  t.notRegex(message, /CANARY/)
  t.is(message.split('\n').length - 1, 8)
  const unquoted = await fileWith(t, '{\n  "admin": {"password": CANARY-8}\n}')
  t.regex(messageOf({ LISTD_CONFIG: unquoted }), /is not valid JSON: a value is expected here \(line 2, column 25\)$/)
  const twice = await fileWith(t, '{"log": {"level": "info"}, "log": {"level": "warn"}}')
  t.regex(
    messageOf({ LISTD_CONFIG: twice }),
    /is not valid JSON: a key is repeated in one object \(line 1, column 28\)$/,
  )
})

test('an overridden value is validated too', async (t) => {
  const path = await fileWith(t, '{"gateway": {"port": -1}}')
  const [error] = errorsOf({ LISTD_CONFIG: path, LISTD_GATEWAY_PORT: '3000' })
  t.like(error, { key: 'gateway.port', value: '-1', source: path })
})

test('a lease must be longer than an attempt', (t) => {
  const [error] = errorsOf({ LISTD_DISPATCHER_LEASE_SECONDS: '12' })
  t.like(error, { key: 'dispatcher.leaseSeconds', value: '12', source: 'LISTD_DISPATCHER_LEASE_SECONDS' })
  t.deepEqual(errorsOf({ LISTD_DISPATCHER_LEASE_SECONDS: '3', LISTD_WEBHOOKS_TIMEOUT_MS: '500' }), [])
})

test('plain http to webhooks is off by default, and needs networks for which it is allowed', (t) => {
  t.false(load({}).webhooks.allowHttp)
  t.like(errorsOf({ LISTD_WEBHOOKS_ALLOW_HTTP: 'true' }), [{ key: 'webhooks.allowHttp', value: 'true' }])
  const both = { LISTD_WEBHOOKS_ALLOW_HTTP: 'true', LISTD_WEBHOOKS_ALLOW_CIDRS: '127.0.0.0/8' }
  t.true(load(both).webhooks.allowHttp)
})

test('the first user needs both an email and a password', (t) => {
  t.is(errorsOf({ LISTD_ADMIN_EMAIL: 'a@example.com' })[0]?.key, 'admin.password')
  t.is(errorsOf({ LISTD_ADMIN_PASSWORD: 'geheimnis' })[0]?.key, 'admin.email')
})

test('settings of a database server that together leave it unprotected are rejected, without showing the password', (t) => {
  const url = 'mysql://listd:geheim@10.0.0.5/listd'
  const error = (env: Record<string, string>) => String(t.throws(() => load({ LISTD_DATABASE_URL: url, ...env })))
  const unused = error({ LISTD_DATABASE_CA_FILE: '/etc/ca.pem' })
  t.regex(unused, /database\.caFile: "\/etc\/ca\.pem" .* must be empty while database\.tls is false/)
  const nameless = error({ LISTD_DATABASE_TLS: 'true' })
  t.regex(nameless, /database\.url: \[redacted\] .* must contain the host name of the server/)
  t.false((unused + nameless).includes('geheim'))
  t.notThrows(() => load({ LISTD_DATABASE_URL: 'mysql://db.example.com/listd', LISTD_DATABASE_TLS: 'true' }))
  t.notThrows(() => load({ LISTD_DATABASE_URL: 'postgres://10.0.0.5/listd', LISTD_DATABASE_TLS: 'true' }))
})
