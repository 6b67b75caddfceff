import { setTimeout as pause } from 'node:timers/promises'
import { firstBatch, nextBatchSize, pauseAfter } from '#shared/data/batch-size.ts'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { nextPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import type { Logger } from '#shared/log/logger.ts'

type Purge = { db: Database; log: Logger }

/** How long a lease lasts, and how often gateways look: when one dies, another one takes over after twice this time at most. */
const defaultMs = 5_000

/**
 * Purges the contents of deleted lists, in one gateway at a time and in batches so small that no writer waits long.
 * @returns stops the job
 */
export function startListPurge(
  options: Purge & { owner: string; everyMs?: number; leaseMs?: number },
): () => Promise<void> {
  const { db, log, owner, everyMs = defaultMs, leaseMs = defaultMs } = options
  let wake = () => {}
  return startLeasedJob({
    db,
    log,
    owner,
    name: 'list-purge',
    everyMs,
    leaseMs,
    firstAfterMs: 1_000,
    onWake(start) {
      wake = start
    },
    isDue: async () => (await nextPurge(db)) !== null,
    async round(shouldContinue) {
      await purgeLists({ db, log }, shouldContinue)
      // The lease has expired before the work was done: take it again.
      if (!shouldContinue()) wake()
    },
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
  for (let { items, bytes } = firstBatch; shouldContinue(); ) {
    const batch = await purgeBatch(db, listId, { items, bytes })
    deleted += batch.deleted
    if (batch.done) return log('list.purged', { listId, deleted })
    items = nextBatchSize(items, batch.heldMs)
    await db.checkpoint() // otherwise one of the next writers would have to, for many batches at once
    await pause(pauseAfter(batch.heldMs))
  }
}
