import { join } from 'node:path'
import { createConcurrencyLimiter } from '#services/gateway/admission/concurrency-limit.ts'
import type { Deps } from '#services/gateway/context.ts'
import { type HttpLimits, httpLimits } from '#services/gateway/http/limits.ts'
import { connectDeps } from '#services/gateway/main.ts'
import type { Route } from '#services/gateway/request/route.ts'
import { type GatewayServer, startServer } from '#services/gateway/server.ts'
import { type Config, loadConfig } from '#shared/config/load.ts'
import { createMasterKey } from '#shared/crypto/seal.ts'
import { databaseSettings, migratedDirectory } from '../databases/database.ts'
import { patient, testPrefix } from '../nats/bus.ts'
import type { LogLine } from '../test-context/output.ts'
import type { Teardown } from '../test-context/teardown.ts'
import { testLog } from '../test-context/test-log.ts'
import { requireGrants } from './answers/granted-permissions.ts'

export type TestGateway = {
  port: number
  deps: Deps
  server: GatewayServer
  /** Every log line so far, parsed. */
  logged(): LogLine[]
}

/** Nothing listens there: the gateway must work without NATS. */
export const deadNats = 'nats://127.0.0.1:9'

/**
 * A separate gateway on a free port with a real database; closed and removed when the test ends, which fails if a handler did not
 * request what its route declares.
 */
export async function startGateway(
  t: Teardown,
  options: {
    routes: readonly Route<Deps>[]
    limits?: Partial<HttpLimits>
    natsUrl?: string
    env?: Record<string, string>
    /** Distinguishes its messages from those of other gateways. */
    instance?: string
    /** How long it caches tokens. */
    keepMs?: number
    /** The folder of its built dashboard; absent: no dashboard, even if one is built here. */
    dashboardFolder?: string
    /** Changes the dependencies of handlers. */
    adapt?(deps: Deps): Deps
  },
): Promise<TestGateway> {
  const {
    limits: otherLimits,
    natsUrl = deadNats,
    env = {},
    adapt = (deps) => deps,
    keepMs,
    instance = 'test',
  } = options
  const limits = { ...httpLimits, ...otherLimits }
  const forgotten: Error[] = []
  const routes = options.routes.map((route) => requireGrants(route, (error) => forgotten.push(error)))
  const dataDir = await migratedDataDir(t)
  const config = loadConfig({ env: { ...testEnv(dataDir), LISTD_NATS_URL: natsUrl, ...env } })
  const { log, lines } = testLog(t, 'gateway')
  const context = { config, log, instance, replaces: [], reloadConfig: () => config }
  const { dashboardFolder = join(dataDir, 'no-dashboard') } = options
  const connected = await connectDeps(context, {
    bus: patient,
    dashboardFolder,
    ...(keepMs !== undefined && { keepMs }),
  })
  // Tests call from one address.
  const deps = adapt({ ...connected, publicCalls: { count: () => 0, refund() {} } })
  const server = await startServer({ deps, routes, limiter: createConcurrencyLimiter(limits), metrics: null, limits })
  t.teardown(async () => {
    await server.close()
    await deps.committer.close()
    await deps.auth.close()
    await deps.rates.close()
    await deps.requestHours.close()
    await deps.backgroundValidator.close()
    await deps.bus.close()
    await deps.db.close()
    if (forgotten[0]) throw forgotten[0]
  })
  return { port: server.port, deps, server, logged: () => lines.map((line) => JSON.parse(line)) }
}

export function testEnv(dataDir: string): Record<string, string> {
  return {
    LISTD_DATA_DIR: dataDir,
    LISTD_GATEWAY_PORT: '0',
    LISTD_NATS_PREFIX: testPrefix,
    LISTD_SECRETS_MASTER_KEY: createMasterKey(),
    LISTD_PASSWORDS_MEMORY_MIB: '19',
    ...databaseSettings(dataDir),
  }
}

/** Settings of another process on the same database. */
export function sharedSettings({ dataDir, database, nats, secrets }: Config): Record<string, string> {
  return {
    LISTD_DATA_DIR: dataDir,
    LISTD_DATABASE_URL: database.url,
    LISTD_NATS_PREFIX: nats.prefix,
    LISTD_SECRETS_MASTER_KEY: secrets.masterKey,
  }
}

/** A data directory that a gateway can start on. */
export function migratedDataDir(t: Teardown): Promise<string> {
  return migratedDirectory(t)
}
