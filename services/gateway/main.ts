import { createExclusive } from '#shared/admission/exclusive.ts'
import type { Bus, BusOptions } from '#shared/bus/bus.ts'
import type { Settled } from '#shared/bus/messages/dispatcher.ts'
import type {
  AccountRevoked,
  GroupRevoked,
  IdentityRevoked,
  Revoked,
  UserRevoked,
} from '#shared/bus/messages/revocation.ts'
import type { KeyAnswer } from '#shared/bus/messages/secrets.ts'
import { keyQuestion } from '#shared/bus/messages/secrets.ts'
import { setThreadPoolSize } from '#shared/config/environment.ts'
import type { Config } from '#shared/config/load.ts'
import { newId } from '#shared/crypto/ids.ts'
import { conflictCounters } from '#shared/data/conflict.ts'
import type { Database } from '#shared/data/database.ts'
import { createCommitter } from '#shared/data/items/commit/commit.ts'
import { createItemReader } from '#shared/data/items/item-reader.ts'
import { checkSchema } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { openServiceKeys } from '#shared/data/secrets/service-keys.ts'
import type { RunningService, ServiceContext } from '#shared/lifecycle/run-service.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { ClockWatch } from '#shared/ops/clock.ts'
import { watchClock } from '#shared/ops/clock.ts'
import { createDatabaseCheck } from '#shared/ops/database-check.ts'
import { createDatabaseLog } from '#shared/ops/database-log.ts'
import type { Joined } from '#shared/ops/join-installation.ts'
import { joinInstallation } from '#shared/ops/join-installation.ts'
import { measureBackups, measureDatabase } from '#shared/ops/measures.ts'
import { connectionsWithin, maxConnections, openFilesLimit } from '#shared/ops/open-files.ts'
import type { Measured } from '#shared/ops/ops.ts'
import { startOps } from '#shared/ops/ops.ts'
import { watchSchema } from '#shared/ops/schema-watch.ts'
import type { ConcurrencyLimiter } from './admission/concurrency-limit.ts'
import { createConcurrencyLimiter } from './admission/concurrency-limit.ts'
import { countRequests } from './admission/counted-requests.ts'
import { createLongFlowRuns } from './admission/long-flow-runs.ts'
import { announceOn } from './announce.ts'
import type { Authenticator } from './auth/authenticator.ts'
import { createAuthenticator } from './auth/authenticator.ts'
import type { Deps } from './context.ts'
import type { HttpLimits } from './http/limits.ts'
import { httpLimits } from './http/limits.ts'
import { createMetrics } from './http/metrics.ts'
import { startFlowPurge } from './jobs/flow-purge.ts'
import { startIndexBuilds } from './jobs/index-builds.ts'
import { startListPurge } from './jobs/list-purge.ts'
import { createDashboardFiles } from './resources/dashboard/files.ts'
import { createDeliveryNotifier } from './resources/deliveries/delivery-notifier.ts'
import { createSigningLimits } from './resources/deliveries/signing/limits.ts'
import { createPublicCallLimit } from './resources/flows/calls/call-public-flow.ts'
import { createParsedFlows } from './resources/flows/calls/parsed-flows.ts'
import { routes } from './resources/index.ts'
import { createListCache } from './resources/lists/list-cache.ts'
import { createCurrentLists } from './resources/realtime/current-lists.ts'
import { streamPace } from './resources/realtime/stream-pace.ts'
import { startServer } from './server.ts'
import { streamsOn } from './streams.ts'
import { createBackgroundValidator } from './validation/background-validator.ts'
import { createSchemaValidator } from './validation/schema-validator.ts'

/** The size of the thread pool: a thread for each of SQLite's connections, and some for the file system and DNS. */
const threads = 8
/** The most changes that wait for others of the same item, batch of an account, idempotency key, sync or flow. */
const maxWaitingChanges = 1_000

/** The HTTP API: lists, items, schema sync, webhooks and sign-in. It also serves while NATS is unreachable. */
export async function startService(context: ServiceContext): Promise<RunningService & { address: string }> {
  setThreadPoolSize(threads)
  const { config } = context
  const deps = await connectDeps(context)
  const { bus, committer, db } = deps
  const limits = limitsHere(context.log)
  const limiter = createConcurrencyLimiter(limits)
  const metrics = config.gateway.opsPort === 0 ? null : await createMetrics()
  const server = await startServer({ deps, routes, limiter, metrics, limits })
  const stopPurge = startListPurge({ db, log: context.log, owner: context.instance })
  const stopFlowPurge = startFlowPurge({ db, log: context.log, owner: context.instance })
  const stopBuilds = startIndexBuilds({
    db,
    announce: deps.announce,
    hint: deps.hintHub.note,
    log: context.log,
    owner: context.instance,
    newId,
    now: Date.now,
    onWake: (wake) => bus.listen('gateway.build', wake),
  })
  const ops = await startOps({
    port: config.gateway.opsPort,
    host: config.ops.host,
    service: 'gateway',
    checks: deps.checks,
    ...(metrics && { registry: metrics.registry, measured: measuredOf(deps, limiter) }),
  })
  const schema = watchSchema(db)
  const address = addressOf(config.gateway, server.port)
  return {
    address,
    started: { publicUrl: address, listens: `${config.gateway.host}:${server.port}`, opsPort: ops.port },
    failed: Promise.race([schema.failed, deps.failed]),
    async close() {
      schema.stop()
      deps.clock.stop()
      deps.deliveryNotifier.close()
      await server.close()
      deps.hub.close()
      deps.hintHub.close()
      deps.streamCounts.close()
      await Promise.all([
        stopPurge(),
        stopFlowPurge(),
        stopBuilds(),
        committer.close(),
        deps.auth.close(),
        deps.rates.close(),
        deps.requestHours.close(),
        deps.backgroundValidator.close(),
      ])
      await Promise.all([ops.close(), bus.close()])
      await db.close()
    },
  }
}

/** The limits, with fewer connections if the limit of open files requires it; this is logged. */
function limitsHere(log: Logger): HttpLimits {
  const limit = openFilesLimit()
  const connections = connectionsWithin(limit)
  if (connections < maxConnections) log('open_files.limited', { limit, connections })
  return { ...httpLimits, connections }
}

/** The origin of the public URL, with the port that the system chose if the configured one is 0. */
function addressOf({ port, publicUrl }: Config['gateway'], chosenPort: number): string {
  const url = new URL(publicUrl)
  if (port === 0) url.port = String(chosenPort)
  return url.origin
}

/**
 * Opens the gateway's dependencies; the caller closes them.
 * @param options.keepMs how long credentials are cached, instead of the contract's time
 * @param options.bus how long NATS may take to answer a ping
 * @param options.dashboardFolder the folder of the built dashboard, instead of dist/dashboard
 * @throws Error with a sentence for the operator when this code cannot run on the database's schema, or a master key is missing
 */
export async function connectDeps(context: ServiceContext, options: DepsOptions = {}): Promise<Connected> {
  const { database, dataDir } = context.config
  const db = await openDatabase({ ...database, dataDir, listener: createDatabaseLog(context.log) })
  try {
    await checkSchema(db)
    return await assemble(db, context, options)
  } catch (error) {
    await db.close()
    throw error
  }
}

/** Dependencies that `main.ts` itself also needs. */
type Connected = Deps & Pick<Joined, 'failed'> & { clock: ClockWatch }

type DepsOptions = { keepMs?: number; bus?: Pick<BusOptions, 'pingTimeoutMs'>; dashboardFolder?: string }

async function assemble(
  db: Database,
  { config, log, instance, reloadConfig }: ServiceContext,
  { bus: waits, dashboardFolder, ...caching }: DepsOptions,
): Promise<Connected> {
  const sealer = await openServiceKeys(db, config.secrets.masterKey, () => reloadConfig().secrets.masterKey)
  const { bus, failed } = await joinInstallation({ service: 'gateway', config, db, log, ...waits })
  const auth = authenticatorOn(bus, { db, config, log, ...caching })
  bus.answerSurvey('secrets.key', {
    schema: keyQuestion,
    answer: ({ keyId }): KeyAnswer => ({ service: 'gateway', instance, known: sealer.has(keyId) }),
  })
  const counted = countRequests({ bus, db, config, log, instance })
  const { hub, hintHub, streamCounts } = streamsOn(bus, { db, config, log, instance, auth })
  const announce = announceOn(bus, { ring: hub.ring, hint: hintHub.commit })
  const clock = watchClock({ db, log })
  const deliveryNotifier = createDeliveryNotifier()
  bus.listen<Settled>('dispatcher.settled', ({ deliveryId }) => deliveryNotifier.notify(deliveryId))
  const backgroundValidator = createBackgroundValidator({ log })
  const schemas = createSchemaValidator(backgroundValidator)
  const longFlowRuns = createLongFlowRuns()
  const lists = createListCache(db, schemas)
  return {
    config,
    log,
    db,
    bus,
    failed,
    clock,
    deliveryNotifier,
    signingLimits: createSigningLimits(() => performance.now()),
    longFlowRuns,
    parsedFlows: createParsedFlows(longFlowRuns),
    publicCalls: createPublicCallLimit(() => performance.now()),
    sealer,
    auth,
    ...counted,
    dashboard: config.gateway.dashboard ? createDashboardFiles(dashboardFolder) : null,
    schemas,
    backgroundValidator,
    newId,
    now: Date.now,
    announce,
    committer: createCommitter(db, { announce }),
    readItem: createItemReader(db),
    exclusive: createExclusive(maxWaitingChanges),
    lists,
    hub,
    hintHub,
    streamCounts,
    streamPace,
    currentLists: createCurrentLists(lists),
    checks: {
      database: createDatabaseCheck(db),
      nats: async () => (bus.connected() ? 'ok' : 'degraded'),
      clock: clock.check,
    },
  }
}

type OnBus = { db: Database; config: Config; log: Logger }

/** An authenticator that receives revocations from the bus. */
function authenticatorOn(
  bus: Bus,
  { db, config, log, ...caching }: OnBus & Pick<DepsOptions, 'keepMs'>,
): Authenticator {
  const { plans, gateway } = config
  const auth = createAuthenticator({ db, log, now: Date.now, publicUrl: gateway.publicUrl, plans, ...caching })
  bus.listen<Revoked>('revoked', ({ tokenHash }) => auth.invalidate(tokenHash))
  bus.listen<IdentityRevoked>('revoked-identity', ({ identityId }) => auth.invalidateIdentity(identityId))
  bus.listen<UserRevoked>('revoked-user', ({ userId }) => auth.invalidateUser(userId))
  bus.listen<AccountRevoked>('revoked-account', ({ accountId }) => auth.invalidateAccount(accountId))
  bus.listen<GroupRevoked>('revoked-identity-group', auth.invalidateGroup)
  return auth
}

function measuredOf(
  { committer, backgroundValidator, config, db, hub, streamCounts }: Deps,
  limiter: ConcurrencyLimiter,
): Measured {
  return {
    listd_http_requests_in_flight: { help: 'Requests in flight.', read: limiter.inFlight },
    listd_realtime_streams: { help: 'Live streams that are open.', read: streamCounts.count },
    listd_realtime_events_total: {
      help: 'Events that were read for live streams, once for all of an account.',
      read: hub.events,
    },
    listd_committer_waiting: { help: 'Item changes that wait for their transaction.', read: committer.waiting },
    listd_validations_waiting: {
      help: 'Checks by JSON Schema that wait for their thread.',
      read: backgroundValidator.waiting,
    },
    ...conflictCounters('list', 'item'),
    ...measureDatabase(db),
    ...measureBackups(config),
  }
}
