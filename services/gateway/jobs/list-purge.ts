import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { nextPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import type { Logger } from '#shared/log/logger.ts'

type Purge = { db: Database; log: Logger }

/** A gateway that dies leaves its lease to the next one after that long at most. */
const leaseMs = 5_000
const everyMs = 1_000
/** How long a batch should hold the write lock, and most that it may try to delete. */
const heldMsWanted = 5
const firstItems = 20
const mostItems = 250
/** The ways to a server and back take longer than a batch should, however small it is. */
const leastItems = 10
const bytesPerBatch = 1024 * 1024
/** Between two batches other writers have the database for at least as long, and for twice the time a batch took. */
const leastPauseMs = 5

/**
 * Purges what deleted lists held, in one gateway at a time and in batches so small that no writer waits long for one.
 * @returns stops it
 */
export function startListPurge(options: Purge & { owner: string }): () => Promise<void> {
  const { db, log, owner } = options
  return startLeasedJob({
    ...{ db, log, owner, name: 'list-purge', everyMs, leaseMs, firstAfterMs: everyMs },
    isDue: async () => (await nextPurge(db)) !== null,
    round: (shouldContinue) => purgeLists({ db, log }, shouldContinue),
  })
}

/** The deleted lists one after the other, the one that was deleted first before the others. */
export async function purgeLists(purge: Purge, goesOn: () => boolean): Promise<void> {
  while (goesOn()) {
    const listId = await nextPurge(purge.db)
    if (listId === null) return
    await purgeList(purge, listId, goesOn)
  }
}

async function purgeList({ db, log }: Purge, listId: string, goesOn: () => boolean): Promise<void> {
  let deleted = 0
  for (let items = firstItems; goesOn(); ) {
    const batch = await purgeBatch(db, listId, { items, bytes: bytesPerBatch })
    deleted += batch.deleted
    if (batch.done) return log('list.purged', { listId, deleted })
    items = nextItems(items, batch.heldMs)
    await db.checkpoint() // else one of the next writers would have to, for many batches at once
    await pause(Math.max(leastPauseMs, 2 * batch.heldMs))
  }
}

/** As many as should take the wanted time, by what the last batch took: a slow disk or many indexes make batches small. */
export function nextItems(items: number, heldMs: number): number {
  const wanted = Math.round((items * heldMsWanted) / Math.max(heldMs, 1))
  return Math.max(Math.min(wanted, 2 * items, mostItems), leastItems)
}
