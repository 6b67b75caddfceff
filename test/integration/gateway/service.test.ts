import test from 'ava'
import { startService } from '#services/gateway/main.ts'
import { loadConfig } from '#shared/config/load.ts'
import { createMasterKey } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import { putSetting } from '#shared/data/settings/settings.ts'
import { createLogger } from '#shared/log/logger.ts'
import { until } from '../../support/assertions/until.ts'
import { anotherConnection } from '../../support/databases/database.ts'
import { makeAccount } from '../../support/http/callers.ts'
import { call } from '../../support/http/client.ts'
import { deadNats, migratedDataDir, testEnv } from '../../support/http/gateway.ts'
import { startNats } from '../../support/nats/nats.ts'
import { freePort } from '../../support/processes/free-port.ts'
import type { Teardown } from '../../support/test-context/teardown.ts'

const log = createLogger({ service: 'test', level: 'silent' })

async function start(t: Teardown, env: Record<string, string>) {
  const config = loadConfig({ env: { LISTD_NATS_URL: deadNats, ...env } })
  const service = await startService({ config, log, instance: 'test', replaces: [], reloadConfig: () => config })
  let closed: Promise<void> | undefined
  const close = () => (closed ??= service.close())
  t.teardown(close)
  return { close, port: Number(new URL(service.address).port) }
}

test('health reports that NATS is down and the service still serves, and when NATS is available', async (t) => {
  const nats = await startNats()
  t.teardown(nats.dispose)
  await nats.stop()
  const { port } = await start(t, { ...testEnv(await migratedDataDir(t)), LISTD_NATS_URL: nats.url })
  const ready = () => call(port, { path: '/health/ready' })
  t.like(await ready(), { status: 200, json: { status: 'degraded', checks: { database: 'ok', nats: 'degraded' } } })
  t.like(await call(port, { path: '/health/live' }), { status: 200, json: { status: 'ok' } })
  await nats.start()
  await until(async () => (await ready()).json?.status === 'ok')
  t.pass()
})

test('a database that a newer version has migrated is reported by name, with 503', async (t) => {
  const dataDir = await migratedDataDir(t)
  const { port } = await start(t, testEnv(dataDir))
  const db = await anotherConnection(t, dataDir)
  await putSetting(db, 'compatibleFrom', '99')
  const ask = () => call(port, { path: '/health/ready' })
  let answer = await ask()
  // On a busy machine, the reason may at first be a missing answer.
  await until(async () => {
    answer = await ask()
    return answer.text.includes('too new') || answer.text
  })
  const { status, json, headers } = answer
  t.is(status, 503)
  t.like(json, { name: 'SERVICE_UNAVAILABLE', code: 10_011 })
  const checks = { database: { failed: 'the schema is too new for this version' }, nats: 'degraded', clock: 'ok' }
  t.deepEqual(json?.details, { checks })
  t.is(headers['retry-after'], '1')
})

test('a wrong master key stops the start with a sentence', async (t) => {
  const env = testEnv(await migratedDataDir(t))
  await (await start(t, env)).close()
  const otherKey = { ...env, LISTD_SECRETS_MASTER_KEY: createMasterKey() }
  await t.throwsAsync(start(t, otherKey), { message: /secrets\.masterKey does not have the key/ })
})

test('metrics count requests by route template and status', async (t) => {
  const dataDir = await migratedDataDir(t)
  const opsPort = await freePort()
  const { port } = await start(t, { ...testEnv(dataDir), LISTD_GATEWAY_OPS_PORT: String(opsPort) })
  await call(port, { path: '/webhooks/some-id' })
  const { text } = await call(opsPort, { path: '/metrics' })
  const line = text.split('\n').find((line) => line.startsWith('listd_http_request_duration_seconds_count{'))
  t.regex(line ?? '', / 1$/)
  for (const label of ['route="/webhooks/{webhook}"', 'method="GET"', 'status="401"'])
    t.true(line?.includes(label), label)
  for (const name of [
    'listd_http_requests_in_flight',
    'listd_committer_waiting',
    'nodejs_eventloop_lag_max_seconds',
    'listd_list_conflicts_total',
    'listd_item_conflicts_total',
  ]) {
    t.true(text.includes(`\n${name}{service="gateway"} `), name)
  }
})

test('a commit under load before a close is acknowledged, the rest is rejected', async (t) => {
  const dataDir = await migratedDataDir(t)
  const { close, port } = await start(t, testEnv(dataDir))
  const db = await anotherConnection(t, dataDir)
  const headers = await (await makeAccount(db)).token()
  await call(port, { method: 'POST', path: '/sync-schema', headers, body: { lists: { things: {} } } })
  const create = () => call(port, { method: 'POST', path: '/lists/things/items', headers, body: { data: { n: 1 } } })
  t.is((await create()).status, 201)
  const under = Array.from({ length: 100 }, () =>
    create().then(
      ({ status }) => status,
      () => 0,
    ),
  )
  await until(async () => (await count(db)) > 10)
  await close()
  const answers = await Promise.all(under)
  t.true(answers.every((status) => status === 201 || status === 0))
  t.is(await count(db), answers.filter((status) => status === 201).length + 1)
})

async function count(db: Database): Promise<number> {
  return Number((await db.get<{ n: number }>('select count(*) as n from items'))?.n)
}
