import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#shared/data/database.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { deleteOldEvents, type EventPartition, listEventPartitions } from '#shared/data/events/event-retention.ts'
import { deleteExpiredKeys } from '#shared/data/items/idempotency-records.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { findNextOldSecret, wipeOldSecrets } from '#shared/data/webhooks/old-secrets.ts'
import type { Logger } from '#shared/log/logger.ts'

type Retention = {
  db: Database
  log: Logger
  /** Names this run of the process. */
  owner: string
  deliveryDays: number
  eventDays: number
  firstAfterMs?: number
}

/** Lets other writers have the database in between. */
const betweenBatchesMs = 50
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const partitionsPerRead = 500
/**
 * Entries that one transaction deletes, and for how long it should hold the write lock at most. Round trips to a distant
 * server may take longer than that however few entries there are; the minimum keeps deletion ahead of what comes in.
 */
const eventRows = { first: 50, least: 25, most: 200 } as const
const maxLockMs = 10

/**
 * Deletes old rows in small batches, each kind in one dispatcher at a time: deliveries some days after they settled, with them
 * idempotency keys that have expired, entries of the event log some days after they were written, and signing secrets when the
 * time has ended for which they were used after they had been replaced.
 * @returns a function that stops it
 */
export function startRetention(retention: Retention): () => Promise<void> {
  const { db, log, owner, firstAfterMs = 5_000 } = retention
  const job = { db, log, owner, firstAfterMs }
  const stops = [
    startLeasedJob({
      ...job,
      name: 'delivery-retention',
      everyMs: 10 * minuteMs,
      round: async (shouldContinue) => {
        await deleteDeliveries(retention, shouldContinue)
        await deleteKeys(retention, shouldContinue)
      },
    }),
    startLeasedJob({
      ...job,
      name: 'event-retention',
      everyMs: 60 * minuteMs,
      round: (shouldContinue) => deleteEvents(retention, shouldContinue),
    }),
    startLeasedJob({
      ...job,
      name: 'old-secrets',
      // Much sooner than a secret that is replaced now is to be wiped, so that each is known by then.
      everyMs: 60 * minuteMs,
      leaseMs: 5 * minuteMs,
      dueInMs: () => untilOldSecret(db),
      round: (shouldContinue) => wipeSecrets(retention, shouldContinue),
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

async function deleteDeliveries({ db, log, deliveryDays }: Retention, shouldContinue: () => boolean): Promise<void> {
  const settledBefore = (await db.now()) - deliveryDays * dayMs
  let deleted = 0
  for (let more = true; more && shouldContinue(); await pause(betweenBatchesMs)) {
    const batch = await deleteSettledDeliveries(db, settledBefore)
    deleted += batch.deleted
    more = batch.more
  }
  if (deleted > 0) log('retention.deliveries_deleted', { deleted, days: deliveryDays })
}

async function deleteKeys({ db, log }: Retention, shouldContinue: () => boolean): Promise<void> {
  const now = await db.now()
  let deleted = 0
  for (let more = true; more && shouldContinue(); await pause(betweenBatchesMs)) {
    const batch = await deleteExpiredKeys(db, now)
    deleted += batch.deleted
    more = batch.more
  }
  if (deleted > 0) log('retention.idempotency_keys_deleted', { deleted })
}

async function untilOldSecret(db: Database): Promise<number | null> {
  const due = await findNextOldSecret(db)
  return due === null ? null : due - (await db.now())
}

async function wipeSecrets({ db, log }: Retention, shouldContinue: () => boolean): Promise<void> {
  let wiped = 0
  for (let more = true; more && shouldContinue(); await pause(betweenBatchesMs)) {
    const batch = await wipeOldSecrets(db)
    wiped += batch.wiped
    more = batch.more
  }
  if (wiped > 0) log('retention.old_secrets_wiped', { wiped })
}

async function deleteEvents({ db, log, eventDays }: Retention, shouldContinue: () => boolean): Promise<void> {
  const createdUntil = (await db.now()) - eventDays * dayMs
  let deleted = 0
  for (let after: EventPartition | null = null; shouldContinue(); ) {
    const partitions: EventPartition[] = await listEventPartitions(db, { after, limit: partitionsPerRead })
    for (const partition of partitions) deleted += await purgePartition(db, { partition, createdUntil, shouldContinue })
    after = partitions.at(-1) ?? null
    if (!after) break
  }
  if (deleted > 0) log('retention.events_deleted', { deleted, days: eventDays })
}

async function purgePartition(
  db: Database,
  {
    partition,
    createdUntil,
    shouldContinue,
  }: { partition: EventPartition; createdUntil: number; shouldContinue: () => boolean },
): Promise<number> {
  let deleted = 0
  let rows: number = eventRows.first
  for (let at: EventPartition | null = partition; at && shouldContinue(); ) {
    const step = await deleteOldEvents(db, at, { createdUntil, rows })
    deleted += step.deleted
    at = step.next
    // A slow disk makes batches small.
    rows = step.heldMs > maxLockMs ? Math.max(eventRows.least, rows >> 1) : Math.min(eventRows.most, rows * 2)
    if (step.deleted > 0) await pause(betweenBatchesMs)
  }
  return deleted
}
