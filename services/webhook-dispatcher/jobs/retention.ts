import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#shared/data/database.ts'
import { deleteSettledDeliveries } from '#shared/data/deliveries/retention.ts'
import { deleteOldEvents, type EventPartition, listEventPartitions } from '#shared/data/events/event-retention.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'

type Retention = {
  db: Database
  log: Logger
  /** This process run. */
  owner: string
  deliveryDays: number
  eventDays: number
  firstAfterMs?: number
}

/** Other writers get the database in between. */
const betweenBatchesMs = 50
const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const lanesRead = 500
/**
 * Entries that one transaction deletes, and how long it should hold the write lock at most. The ways to a server and back
 * may take longer by themselves, however few they are: then a small batch only clears less than comes in.
 */
const eventRows = { first: 50, least: 25, most: 200 } as const
const heldMsWanted = 10

/**
 * Deletes what is too old, in small batches, each kind in one dispatcher at a time: deliveries some days after they
 * settled, entries of the event log some days after they were made.
 * @returns stops it
 */
export function startRetention(retention: Retention): () => Promise<void> {
  const { db, log, owner, firstAfterMs = 5_000 } = retention
  const job = { db, log, owner, firstAfterMs }
  const stops = [
    startLeasedJob({
      ...job,
      name: 'delivery-retention',
      everyMs: 10 * minuteMs,
      round: (goesOn) => deleteDeliveries(retention, goesOn),
    }),
    startLeasedJob({
      ...job,
      name: 'event-retention',
      everyMs: 60 * minuteMs,
      round: (goesOn) => deleteEvents(retention, goesOn),
    }),
  ]
  return async () => void (await Promise.all(stops.map((stop) => stop())))
}

async function deleteDeliveries({ db, log, deliveryDays }: Retention, goesOn: () => boolean): Promise<void> {
  const settledBefore = (await db.now()) - deliveryDays * dayMs
  let deleted = 0
  for (let more = true; more && goesOn(); await pause(betweenBatchesMs)) {
    const batch = await deleteSettledDeliveries(db, settledBefore)
    deleted += batch.deleted
    more = batch.more
  }
  if (deleted > 0) log('retention.deliveries_deleted', { deleted, days: deliveryDays })
}

async function deleteEvents({ db, log, eventDays }: Retention, goesOn: () => boolean): Promise<void> {
  const createdUntil = (await db.now()) - eventDays * dayMs
  let deleted = 0
  for (let after: EventPartition | null = null; goesOn(); ) {
    const lanes: EventPartition[] = await listEventPartitions(db, { after, limit: lanesRead })
    for (const lane of lanes) deleted += await emptyLane(db, { lane, createdUntil, goesOn })
    after = lanes.at(-1) ?? null
    if (!after) break
  }
  if (deleted > 0) log('retention.events_deleted', { deleted, days: eventDays })
}

async function emptyLane(
  db: Database,
  { lane, createdUntil, goesOn }: { lane: EventPartition; createdUntil: number; goesOn: () => boolean },
): Promise<number> {
  let deleted = 0
  let rows: number = eventRows.first
  for (let at: EventPartition | null = lane; at && goesOn(); ) {
    const step = await deleteOldEvents(db, at, { createdUntil, rows })
    deleted += step.deleted
    at = step.next
    // A slow disk makes batches small.
    rows = step.heldMs > heldMsWanted ? Math.max(eventRows.least, rows >> 1) : Math.min(eventRows.most, rows * 2)
    if (step.deleted > 0) await pause(betweenBatchesMs)
  }
  return deleted
}
