import type { Bus } from '#shared/bus/bus.ts'
import { type More, presence, probe, type Wake } from '#shared/bus/messages/dispatcher.ts'
import { type KeyAnswer, keyQuestion } from '#shared/bus/messages/secrets.ts'
import type { Config } from '#shared/config/load.ts'
import { newIdAt } from '#shared/crypto/ids.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import { releaseLeasesOf } from '#shared/data/dispatch/claims.ts'
import type { CycleRules } from '#shared/data/dispatch/cycle-plan.ts'
import { createListeners } from '#shared/data/dispatch/outbox/listeners.ts'
import { checkSchema } from '#shared/data/migrate.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { openServiceKeys } from '#shared/data/secrets/service-keys.ts'
import type { RunningService, ServiceContext } from '#shared/lifecycle/run-service.ts'
import { drainMs } from '#shared/lifecycle/stop-times.ts'
import type { Logger } from '#shared/log/logger.ts'
import { type ClockWatch, watchClock } from '#shared/ops/clock.ts'
import { createDatabaseCheck } from '#shared/ops/database-check.ts'
import { createDatabaseLog } from '#shared/ops/database-log.ts'
import { joinInstallation } from '#shared/ops/join-installation.ts'
import { measureDatabase } from '#shared/ops/measures.ts'
import { type Measured, startOps } from '#shared/ops/ops.ts'
import type { Checks } from '#shared/ops/readiness.ts'
import { watchSchema } from '#shared/ops/schema-watch.ts'
import { announceOutcomes } from './announce-outcomes.ts'
import { openingSecrets, sendAttempt } from './attempt.ts'
import { createDispatcher } from './dispatcher.ts'
import { createHttpClient, type HttpClient } from './egress/http-client.ts'
import { startMarkingBehind } from './jobs/behind-webhooks.ts'
import { startClampingRetries } from './jobs/clamp-retries.ts'
import { type HeldRetention, startHeldRetention } from './jobs/held-retention.ts'
import { startNotices } from './jobs/notices.ts'
import { startRetention } from './jobs/retention.ts'
import { createMetrics, measureWebhooks } from './metrics.ts'
import { logAttempt } from './webhook-log.ts'

/** The only process that calls the internet: fans events out to webhooks, sends deliveries, probes urls, deletes old rows. */
export async function startService(context: ServiceContext): Promise<RunningService> {
  const { config, log, instance, replaces } = context
  const { webhooks } = config
  const { db, sealer } = await openStores(context)
  if (webhooks.allowHttp) log('webhooks.http_allowed', { networks: webhooks.allowCidrs })
  for (const gone of replaces) await releaseLeasesOf(db, gone)

  const { bus, failed } = await joinInstallation({ service: 'webhook-dispatcher', config, db, log })
  const client = createHttpClient({ ...webhooks, maxClients: config.dispatcher.concurrency * 4 })
  const metrics = await createMetrics(config.dispatcher.opsPort)
  const notices = startNotices({ ...config, db, log, owner: instance, client })
  const outcomes = announceOutcomes(bus, instance)
  const on = { onSettled: outcomes.settled, onChanged: outcomes.changed, onMissed: metrics.missed }
  const attempt = sendAttempt.bind(null, { client, headerPrefix: webhooks.headerPrefix, now: Date.now })
  const dispatcher = createDispatcher({
    db,
    log,
    holder: { owner: instance, leaseMs: leaseMsOf(config) },
    rules: rulesOf(config),
    concurrency: config.dispatcher.concurrency,
    timeoutMs: webhooks.timeoutMs,
    attempt: openingSecrets({ sealer, log }, attempt),
    announced: () => bus.connected(),
    notifyOthers: (webhookIds) => bus.broadcast('dispatcher.more', { webhookIds }),
    ...on,
    onDisabled: notices.wake,
    onOutcome(claim, outcome) {
      logAttempt(log, claim, outcome)
      metrics.attempt(outcome)
    },
  })

  const consumer = await bus.consumeEvents((eventIds) => dispatcher.fanOut(eventIds))
  answerOnBus(bus, { client, dispatcher, sealer, instance })
  const jobs = startJobs({ db, log, owner: instance }, config, { ...on, wake: dispatcher.wake })
  dispatcher.wake()

  const clock = watchClock({ db, log })
  const ops = await startOps({
    port: config.dispatcher.opsPort,
    host: config.ops.host,
    service: 'webhook-dispatcher',
    ...(metrics.registry && { registry: metrics.registry }),
    measured: { ...measureWebhooks(db, webhooks), ...jobs.measured, ...measureDatabase(db) },
    checks: checksOf(db, { bus, dispatcher, clock }),
  })
  const schema = watchSchema(db)
  return {
    started: { opsPort: ops.port },
    failed: Promise.race([schema.failed, failed]),
    async close() {
      for (const watch of [schema, clock]) watch.stop()
      await Promise.all([jobs.stop(), notices.stop()])
      await consumer.stop()
      await dispatcher.drain(drainMs)
      await Promise.all([outcomes, ops, bus, client].map((one) => one.close()))
      await db.close()
    },
  }
}

/** The database, and the keys that open secrets in it. */
async function openStores({ config, log, reloadConfig }: ServiceContext): Promise<{ db: Database; sealer: Sealer }> {
  const { database, dataDir } = config
  const db = await openDatabase({ ...database, dataDir, readers: 1, listener: createDatabaseLog(log) })
  await checkSchema(db)
  const sealer = await openServiceKeys(db, config.secrets.masterKey, () => reloadConfig().secrets.masterKey)
  return { db, sealer }
}

type Dispatcher = ReturnType<typeof createDispatcher>

function checksOf(
  db: Database,
  { bus, dispatcher, clock }: { bus: Bus; dispatcher: Dispatcher; clock: ClockWatch },
): Checks {
  const database = createDatabaseCheck(db)
  return {
    database: async () => (dispatcher.failing() ? { failed: 'work cannot be written' } : database()),
    nats: async () => (bus.connected() ? 'ok' : 'degraded'),
    clock: clock.check,
  }
}

function answerOnBus(
  bus: Bus,
  of: { client: HttpClient; dispatcher: Dispatcher; sealer: Sealer; instance: string },
): void {
  const { client, dispatcher, sealer, instance } = of
  bus.respond('dispatcher.probe', { schema: probe, handle: async (of) => ({ refused: await client.probe(of) }) })
  bus.respond('dispatcher.present', { schema: presence, handle: async () => ({}) })
  bus.answerSurvey('secrets.key', {
    schema: keyQuestion,
    answer: ({ keyId }): KeyAnswer => ({ service: 'webhook-dispatcher', instance, known: sealer.has(keyId) }),
  })
  bus.listen('dispatcher.wake', () => dispatcher.wake())
  bus.listen<More>('dispatcher.more', ({ webhookIds }) => dispatcher.expectMore(webhookIds))
  bus.listen<Wake>('dispatcher.stop', ({ webhookId }) => dispatcher.stop(webhookId))
}

function rulesOf({ webhooks, notifications, gateway: { publicUrl } }: Config): CycleRules {
  const rules = { ...webhooks, newId: newIdAt, listeners: createListeners() }
  return notifications.url === '' ? rules : { ...rules, notices: { publicUrl } }
}

const leaseMsOf = ({ dispatcher }: Config) => dispatcher.leaseSeconds * 1000

/** Starts the jobs that run at intervals. @returns their measurements, and a function that stops them */
function startJobs(
  job: { db: Database; log: Logger; owner: string },
  config: Config,
  { wake, ...on }: { wake(): void } & Pick<HeldRetention, 'onMissed' | 'onChanged'>,
): { measured: Measured; stop(): Promise<unknown> } {
  const { retentionDays, retrySeconds, maxWaiting, maxHeldDays } = config.webhooks
  const { events, flows, plans } = config
  const days = { deliveryDays: retentionDays, eventDays: events.retentionDays, runDays: flows.retentionDays }
  const retention = startRetention({ ...job, ...days, plans })
  const stopClamping = startClampingRetries({ ...job, retrySeconds, leaseMs: leaseMsOf(config), wake })
  const stopHeld = startHeldRetention({ ...job, ...on, maxHeldDays })
  const stopMarking = startMarkingBehind({ ...job, maxWaiting, wake })
  return {
    measured: retention.measured,
    stop: () => Promise.all([retention.stop(), stopClamping(), stopHeld(), stopMarking()]),
  }
}
