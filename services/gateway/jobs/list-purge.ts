import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { nextPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import type { Logger } from '#shared/log/logger.ts'

type Purge = { db: Database; log: Logger }

/** When a gateway dies, another one takes over after this time at most. */
const leaseMs = 5_000
const everyMs = 1_000
/** How long a batch should hold the write lock, and the range of its size. */
const targetHeldMs = 5
const firstItems = 20
const maxItems = 250
/** The round trips to a server alone may take longer than the target, however small the batch. */
const minItems = 10
const bytesPerBatch = 1024 * 1024
/** Between two batches other writers have the database for at least this long, and for twice the time of a batch. */
const minPauseMs = 5

/**
 * Purges the contents of deleted lists, in one gateway at a time and in batches so small that no writer waits long.
 * @returns stops the job
 */
export function startListPurge(options: Purge & { owner: string }): () => Promise<void> {
  const { db, log, owner } = options
  return startLeasedJob({
    ...{ db, log, owner, name: 'list-purge', everyMs, leaseMs, firstAfterMs: everyMs },
    isDue: async () => (await nextPurge(db)) !== null,
    round: (shouldContinue) => purgeLists({ db, log }, shouldContinue),
  })
}

/** Purges the deleted lists one after the other, in the order of their deletion. */
export async function purgeLists(purge: Purge, shouldContinue: () => boolean): Promise<void> {
  while (shouldContinue()) {
    const listId = await nextPurge(purge.db)
    if (listId === null) return
    await purgeList(purge, listId, shouldContinue)
  }
}

async function purgeList({ db, log }: Purge, listId: string, shouldContinue: () => boolean): Promise<void> {
  let deleted = 0
  for (let items = firstItems; shouldContinue(); ) {
    const batch = await purgeBatch(db, listId, { items, bytes: bytesPerBatch })
    deleted += batch.deleted
    if (batch.done) return log('list.purged', { listId, deleted })
    items = nextBatchSize(items, batch.heldMs)
    await db.checkpoint() // otherwise one of the next writers would have to, for many batches at once
    await pause(Math.max(minPauseMs, 2 * batch.heldMs))
  }
}

/** The batch size that should take the target time, by the last batch: a slow disk or many indexes make batches small. */
export function nextBatchSize(items: number, heldMs: number): number {
  const target = Math.round((items * targetHeldMs) / Math.max(heldMs, 1))
  return Math.max(Math.min(target, 2 * items, maxItems), minItems)
}
