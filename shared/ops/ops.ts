import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { withTimeLimit } from '#shared/time/time-limit.ts'
import manifest from '../../package.json' with { type: 'json' }
import { type Checks, readiness, runCheck } from './readiness.ts'

/**
 * Values by the names of their metrics, read whenever metrics are collected; null: not known now, so it is left out. A value
 * whose name ends in `_total` never falls while the process runs; others may.
 */
export type Measured = Readonly<Record<string, { help: string; read(): number | null | Promise<number | null> }>>

export type Ops = { port: number; close(): Promise<void> }

/**
 * Serves `/health/live`, `/health/ready` and `/metrics` of a process, for external probes and collectors.
 * With port 0 nothing listens and nothing is measured.
 * @param options.host empty: every address
 * @param options.registry the service's own metrics; those of the process, and what is measured, are added to it
 */
export async function startOps(options: {
  port: number
  host: string
  service: string
  checks: Checks
  registry?: Registry
  measured?: Measured
}): Promise<Ops> {
  if (options.port === 0) return { port: 0, close: async () => {} }
  const registry = await withProcessMetrics(options.service, options.registry)
  await addMeasured(registry, { ...measureChecks(options.checks), ...options.measured })
  const server = createServer({ requestTimeout: 5_000, headersTimeout: 5_000, keepAliveTimeout: 5_000 })
  server.maxConnections = 100
  server.on('request', (request, response) => {
    answer({ path: request.url?.split('?')[0], checks: options.checks, registry }).then(
      (page) => send(response, page),
      () => send(response, { status: 500, type: 'text/plain', body: '' }),
    )
  })
  server.listen({ port: options.port, ...(options.host !== '' && { host: options.host }) })
  await once(server, 'listening')
  return { port: (server.address() as AddressInfo).port, close: () => stop(server) }
}

type Page = { status: number; type: string; body: string }

async function answer(request: { path: string | undefined; checks: Checks; registry: Registry }): Promise<Page> {
  const { path, checks, registry } = request
  if (path === '/health/live') return json(200, { status: 'ok' })
  if (path === '/metrics') return { status: 200, type: registry.contentType, body: await registry.metrics() }
  if (path !== '/health/ready') return json(404, { status: 'no such page' })
  const result = await readiness(checks)
  return json(result.status === 'failed' ? 503 : 200, result)
}

function json(status: number, body: unknown): Page {
  return { status, type: 'application/json', body: JSON.stringify(body) }
}

function send(response: ServerResponse, { status, type, body }: Page): void {
  response.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body)
}

async function withProcessMetrics(service: string, ownRegistry: Registry | undefined): Promise<Registry> {
  const { collectDefaultMetrics, Gauge, Registry } = await import('./prometheus.ts')
  const registry = ownRegistry ?? new Registry()
  registry.setDefaultLabels({ service })
  if (!registry.getSingleMetric('process_cpu_user_seconds_total')) collectDefaultMetrics({ register: registry })
  for (const name of misnamed) registry.removeSingleMetric(name)
  new Gauge({
    name: 'listd_build_info',
    help: 'Always 1; the version that runs.',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: manifest.version }, 1)
  return registry
}

/** Gauges of the library with the names of counters; the metrics without `_total` have the same values by type. */
const misnamed = ['nodejs_active_handles_total', 'nodejs_active_requests_total', 'nodejs_active_resources_total']

/** Whether each dependency of the process is available, as its readiness reports. */
function measureChecks(checks: Checks): Measured {
  const measured = Object.entries(checks).map(([name, check]) => {
    const help = `1: readiness says that the ${name} is ok; 0: that it has failed or is degraded.`
    return [`listd_${name}_up`, { help, read: async () => Number((await runCheck(check)) === 'ok') }] as const
  })
  return Object.fromEntries(measured)
}

async function addMeasured(registry: Registry, measured: Measured): Promise<void> {
  const { Counter, Gauge } = await import('./prometheus.ts')
  for (const [name, { help, read }] of Object.entries(measured)) {
    const Metric = name.endsWith('_total') ? Counter : Gauge
    new Metric({
      name,
      help,
      registers: [registry],
      async collect() {
        const value = await readInTime(read)
        this.reset()
        if (value === null) this.remove()
        else this.inc(value)
      },
    })
  }
}

/**
 * How long reading a value may take, longer than a check: a database that hangs must not block the collection of other values.
 */
const readTimeoutMs = 3_000

async function readInTime(read: Measured[string]['read']): Promise<number | null> {
  try {
    return await withTimeLimit(Promise.resolve(read()), readTimeoutMs, () => null)
  } catch {
    return null
  }
}

async function stop(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}
