import test, { type ExecutionContext } from 'ava'
import { Counter, Registry } from 'prom-client'
import { type Measured, startOps } from '#shared/ops/ops.ts'
import type { Checks } from '#shared/ops/readiness.ts'
import { freePort } from '../../support/processes/free-port.ts'

async function start(
  t: ExecutionContext,
  checks: Checks,
  own: { registry?: Registry; measured?: Measured; host?: string } = {},
) {
  const ops = await startOps({ port: await freePort(), host: '127.0.0.1', service: 'sample', checks, ...own })
  t.teardown(ops.close)
  return (path: string, host = '127.0.0.1') => fetch(`http://${host}:${ops.port}${path}`)
}

test('a running process is live', async (t) => {
  const get = await start(t, { database: async () => ({ failed: 'away' }) })
  const response = await get('/health/live')
  t.is(response.status, 200)
  t.deepEqual(await response.json(), { status: 'ok' })
})

test('a process is ready with 200, even if degraded, and 503 when a check fails', async (t) => {
  let database: 'ok' | { failed: string } = 'ok'
  const get = await start(t, { database: async () => database, nats: async () => 'degraded' })
  const degraded = await get('/health/ready?x=1')
  t.is(degraded.status, 200)
  t.deepEqual(await degraded.json(), { status: 'degraded', checks: { database: 'ok', nats: 'degraded' } })
  database = { failed: 'not reachable' }
  const failed = await get('/health/ready')
  t.is(failed.status, 503)
  t.deepEqual(await failed.json(), {
    status: 'failed',
    checks: { database: { failed: 'not reachable' }, nats: 'degraded' },
  })
})

test('metrics are those of the process and of the service', async (t) => {
  const registry = new Registry()
  new Counter({ name: 'sample_things_total', help: 'Things.', registers: [registry] }).inc(3)
  const get = await start(t, {}, { registry })
  const response = await get('/metrics')
  t.regex(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/)
  const text = await response.text()
  t.regex(text, /^sample_things_total\{service="sample"\} 3$/m)
  t.regex(text, /^process_resident_memory_bytes\{service="sample"\} \d+/m)
})

test('values are read at each collection: a counter by its name or a gauge, and left out while unknown', async (t) => {
  let known: number | null = 2
  const measured: Measured = {
    listd_sample_total: { help: 'Counted.', read: () => known },
    listd_sample: { help: 'Known later.', read: async () => known },
    listd_broken: { help: 'Not known.', read: () => Promise.reject(new Error('away')) },
  }
  const get = await start(t, {}, { measured })
  const samples = async () => (await (await get('/metrics')).text()).match(/^(# TYPE )?listd_(?!build_info).*$/gm)
  const types = (await samples())?.filter((line) => line.startsWith('#'))
  t.deepEqual(types, [
    '# TYPE listd_sample_total counter',
    ...['sample', 'broken'].map((name) => `# TYPE listd_${name} gauge`),
  ])
  const values = async () => (await samples())?.filter((line) => !line.startsWith('#'))
  const given = (value: number) => [
    `listd_sample_total{service="sample"} ${value}`,
    `listd_sample{service="sample"} ${value}`,
  ]
  t.deepEqual(await values(), given(2))
  known = 5
  t.deepEqual(await values(), given(5))
  known = null
  t.deepEqual(await values(), [])
})

test('a value that never resolves is left out, and the others are shown', async (t) => {
  const measured: Measured = { listd_slow: { help: 'Never known.', read: () => new Promise(() => {}) } }
  const get = await start(t, {}, { measured })
  const text = await (await get('/metrics')).text()
  t.regex(text, /^listd_build_info\{/m)
  t.notRegex(text, /^listd_slow/m)
})

test('readiness checks are up while they are ok, and the running version is reported', async (t) => {
  const away = async () => ({ failed: 'away' })
  const get = await start(t, { database: async () => 'ok', nats: async () => 'degraded', disk: away })
  const text = await (await get('/metrics')).text()
  t.deepEqual(text.match(/^listd_\w+_up.*$/gm), [
    'listd_database_up{service="sample"} 1',
    'listd_nats_up{service="sample"} 0',
    'listd_disk_up{service="sample"} 0',
  ])
  t.regex(text, /^listd_build_info\{version="\d+\.\d+\.\d+.*",service="sample"\} 1$/m)
})

test('anything else is 404', async (t) => {
  const get = await start(t, {})
  for (const path of ['/', '/health', '/metrics/']) t.is((await get(path)).status, 404, path)
})

test('it listens only on its host, and on every address without one', async (t) => {
  const [inner, everywhere] = await Promise.all([start(t, {}), start(t, {}, { host: '' })])
  const answers = (get: typeof inner, host: string) =>
    get('/health/live', host).then(
      ({ ok }) => ok,
      () => false,
    )
  t.deepEqual([await answers(inner, '127.0.0.1'), await answers(inner, '127.0.0.2')], [true, false])
  t.deepEqual([await answers(everywhere, '127.0.0.1'), await answers(everywhere, '127.0.0.2')], [true, true])
})

test('port 0 is off', async (t) => {
  const ops = await startOps({ port: 0, host: '', service: 'sample', checks: {} })
  t.is(ops.port, 0)
  await t.notThrowsAsync(ops.close())
})

test('a port in use is an error that names the port', async (t) => {
  const get = await start(t, {})
  const port = Number(new URL((await get('/health/live')).url).port)
  await t.throwsAsync(startOps({ port, host: '127.0.0.1', service: 'other', checks: {} }), { code: 'EADDRINUSE' })
})
