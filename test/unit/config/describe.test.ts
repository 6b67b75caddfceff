import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'ava'
import { ConfigError } from '#shared/config/config-error.ts'
import { describeConfig } from '#shared/config/describe.ts'
import { entries } from '#shared/config/entries.ts'
import { testFolder } from '../../support/test-context/folder.ts'

const described = (env: Record<string, string>) =>
  new Map(describeConfig({ env, cwd: '/srv' }).map(({ key, ...rest }) => [key, rest]))

test('every setting is listed in the order of the schema, with its effective value and its source', async (t) => {
  const file = join(await testFolder(t), 'own.json')
  await writeFile(file, JSON.stringify({ log: { level: 'warn' }, gateway: { port: 4000 } }))
  const env = { LISTD_CONFIG: file, LISTD_GATEWAY_PORT: '5000' }
  t.deepEqual(
    describeConfig({ env, cwd: '/srv' }).map(({ key }) => key),
    entries.map(({ key }) => key),
  )
  const settings = described(env)
  t.deepEqual(settings.get('gateway.port'), { value: 5000, source: 'LISTD_GATEWAY_PORT' })
  t.deepEqual(settings.get('log.level'), { value: 'warn', source: file })
  t.deepEqual(settings.get('dataDir'), { value: '/srv/data', source: 'config/default.json' })
  t.deepEqual(settings.get('gateway.publicUrl'), {
    value: 'http://127.0.0.1:5000',
    source: 'gateway.host, gateway.port',
  })
  const shown = described({ LISTD_GATEWAY_PUBLIC_URL: 'https://lists.example' }).get('gateway.publicUrl')
  t.deepEqual(shown, { value: 'https://lists.example', source: 'LISTD_GATEWAY_PUBLIC_URL' })
})

test('for a secret only its source is shown, and whether it is set', async (t) => {
  const file = join(await testFolder(t), 'nats')
  await writeFile(file, 'nats://me:canary@nats.example:4222')
  const env = {
    LISTD_ADMIN_EMAIL: 'me@example.com',
    LISTD_ADMIN_PASSWORD: 'canary-password',
    LISTD_SECRETS_MASTER_KEY: 'canary'.padEnd(43, 'A'),
    LISTD_DATABASE_URL: 'postgres://me:canary@db/listd',
    LISTD_NATS_URL_FILE: file,
  }
  t.false(JSON.stringify(describeConfig({ env, cwd: '/srv' })).includes('canary'))
  t.deepEqual(described(env).get('admin.password'), { value: '[redacted]', source: 'LISTD_ADMIN_PASSWORD' })
  t.deepEqual(described(env).get('nats.url'), { value: '[redacted]', source: 'LISTD_NATS_URL_FILE' })
  t.deepEqual(described({}).get('admin.password'), { value: '', source: 'config/default.json' })
})

test('a configuration with errors is not described', (t) => {
  t.throws(() => described({ LISTD_GATEWAY_PORT: 'x' }), { instanceOf: ConfigError })
})
