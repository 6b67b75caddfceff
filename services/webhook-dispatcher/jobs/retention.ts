import type { Config } from '#shared/config/load.ts'
import { deleteExpired } from '#shared/data/background/delete-expired.ts'
import { createPacer, runBatches } from '#shared/data/background/pacer.ts'
import { createSweep, type Sweep } from '#shared/data/background/sweep.ts'
import type { Database } from '#shared/data/database.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { expiringKeys } from '#shared/data/items/idempotency-records.ts'
import { type LeasedJob, startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { oldPlaces } from '#shared/data/realtime/retention.ts'
import { noteRetentionRun, type Retained } from '#shared/data/settings/retention-runs.ts'
import { findNextOldSecret, wipeOldSecrets } from '#shared/data/webhooks/old-secrets.ts'
import type { LogEventName } from '#shared/log/events.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { Measured } from '#shared/ops/ops.ts'
import { createEventSweep, createVersionsOf } from './event-retention.ts'
import { measureRetention, type RetentionWatch, watchRetention } from './retention-watch.ts'
import { createRunSweep } from './run-retention.ts'

type Retention = {
  db: Database
  log: Logger
  /** Identifies this run of the process. */
  owner: string
  deliveryDays: number
  eventDays: number
  runDays: number
  plans: Config['plans']
  firstAfterMs?: number
}

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
/** How soon another dispatcher continues after one has died. */
const leaseMs = minuteMs
/** The rows of a batch. */
const batchRows = { first: 50, least: 25, most: 2_000 }

/**
 * Deletes old rows in small batches, each kind in one dispatcher at a time: deliveries some days after they settled, idempotency
 * keys that have expired, places from which streams continue, entries of the event log some days after they were written, runs of flows
 * some days after they started, and replaced signing secrets when the time has ended in which they still sign.
 * @returns how far it is behind, and a function that stops it
 */
export function startRetention(retention: Retention): { measured: Measured; stop(): Promise<void> } {
  const { db, deliveryDays, eventDays, runDays } = retention
  const [deliveries, events, runs] = [
    watch(retention, 'deliveries'),
    watch(retention, 'events'),
    watch(retention, 'runs'),
  ]
  const stops = [
    startSweep(retention, {
      name: 'delivery-retention',
      everyMs: 10 * minuteMs,
      sweep: watched(db, deliveries, sweepDeliveries(retention, deliveries)),
      logged: { name: 'retention.deliveries_deleted', days: deliveryDays },
    }),
    startSweep(retention, {
      name: 'idempotency-key-retention',
      everyMs: 10 * minuteMs,
      sweep: sweepKeys(retention),
      logged: { name: 'retention.idempotency_keys_deleted' },
    }),
    startSweep(retention, {
      name: 'event-retention',
      everyMs: 60 * minuteMs,
      sweep: watched(db, events, sweepEvents(retention, events)),
      logged: { name: 'retention.events_deleted', days: eventDays },
    }),
    startSweep(retention, {
      name: 'flow-run-retention',
      everyMs: 10 * minuteMs,
      sweep: watched(db, runs, createRunSweep({ db, batchRows, days: runDays, onDeleted: runs.deleted })),
      logged: { name: 'retention.runs_deleted', days: runDays },
    }),
    startSweep(retention, {
      name: 'realtime-retention',
      everyMs: 10 * minuteMs,
      sweep: sweepPlaces(retention),
      logged: { name: 'retention.realtime_places_deleted' },
    }),
    startWipingSecrets(retention),
  ]
  return {
    measured: measureRetention([deliveries, events, runs]),
    stop: async () => void (await Promise.all(stops.map((stop) => stop()))),
  }
}

function watch({ log }: Retention, what: Retained): RetentionWatch {
  return watchRetention({ log, what, now: () => performance.now() })
}

/** Sweeps at intervals. @param job.logged the log event with the number of deleted rows, and its other fields */
function startSweep(
  { db, log, owner, firstAfterMs = 5_000 }: Retention,
  job: Pick<LeasedJob, 'name' | 'everyMs'> & { sweep: Sweep; logged: { name: LogEventName; days?: number } },
): () => Promise<void> {
  const { name, everyMs, sweep, logged } = job
  return startLeasedJob({
    db,
    log,
    owner,
    firstAfterMs,
    name,
    everyMs,
    leaseMs,
    async round(shouldContinue) {
      const deleted = (await sweep(shouldContinue))?.deleted ?? 0
      const { name: event, ...more } = logged
      if (deleted > 0) log(event, { deleted, ...more })
    },
  })
}

/** A sweep that, once completed, reports when it began. */
function watched(db: Database, watch: RetentionWatch, sweep: Sweep): Sweep {
  let begunAt: number | null = null
  return async (shouldContinue) => {
    watch.working()
    begunAt ??= await db.now()
    const swept = await sweep(shouldContinue)
    if (!swept) return null
    watch.ended()
    await noteRetentionRun(db, watch.what, begunAt)
    begunAt = null
    return swept
  }
}

function sweepDeliveries({ db, deliveryDays }: Retention, watch: RetentionWatch): Sweep {
  return createSweep({
    pacer: createPacer(db, batchRows),
    until: async () => (await db.now()) - deliveryDays * dayMs,
    async batch(of) {
      const batch = await deleteSettledDeliveries(db, of)
      watch.deleted(batch.rows)
      return batch
    },
  })
}

function sweepKeys({ db }: Retention): Sweep {
  const pacer = createPacer(db, batchRows)
  return createSweep({ pacer, until: () => db.now(), batch: (of) => deleteExpired(db, expiringKeys, of) })
}

/** How long a stream that was interrupted can be resumed. */
const resumableMs = dayMs

function sweepPlaces({ db }: Retention): Sweep {
  return createSweep({
    pacer: createPacer(db, batchRows),
    until: async () => (await db.now()) - resumableMs,
    batch: (of) => deleteExpired(db, oldPlaces, of),
  })
}

function sweepEvents({ db, eventDays, plans }: Retention, watch: RetentionWatch): Sweep {
  return createEventSweep({
    db,
    pacer: createPacer(db, batchRows),
    until: async () => (await db.now()) - eventDays * dayMs,
    versionsOf: createVersionsOf(db, plans),
    onDeleted: watch.deleted,
  })
}

function startWipingSecrets({ db, log, owner, firstAfterMs = 5_000 }: Retention): () => Promise<void> {
  const pacer = createPacer(db, batchRows)
  return startLeasedJob({
    db,
    log,
    owner,
    firstAfterMs,
    name: 'old-secrets',
    // Much sooner than a newly replaced secret must be wiped, so that each is known by then.
    everyMs: 60 * minuteMs,
    leaseMs: 5 * minuteMs,
    dueInMs: () => untilOldSecret(db),
    async round(shouldContinue) {
      const { rows } = await runBatches(pacer, shouldContinue, () => wipeOldSecrets(db))
      if (rows > 0) log('retention.old_secrets_wiped', { wiped: rows })
    },
  })
}

async function untilOldSecret(db: Database): Promise<number | null> {
  const due = await findNextOldSecret(db)
  return due === null ? null : due - (await db.now())
}
