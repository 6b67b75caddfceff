import { createPacer, type Pacer, runBatches } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { type ListPurge, nextPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import type { Logger } from '#shared/log/logger.ts'

/** How long a lease lasts, and how often gateways look: when one dies, another one takes over after twice this time at most. */
const defaultMs = 5_000

/**
 * Purges the contents of deleted lists, in one gateway at a time and in batches so small that no writer waits long.
 * @returns stops the job
 */
export function startListPurge(options: {
  db: Database
  log: Logger
  owner: string
  everyMs?: number
  leaseMs?: number
}): () => Promise<void> {
  const { db, log, owner, everyMs = defaultMs, leaseMs = defaultMs } = options
  return startLeasedJob({
    db,
    log,
    owner,
    name: 'list-purge',
    everyMs,
    leaseMs,
    firstAfterMs: 1_000,
    isDue: async () => (await nextPurge(db)) !== null,
    round: createListPurge({ db, log }),
  })
}

/** The items of a batch, and the bytes of their data. */
const batchItems = { first: 20, least: 10, most: 2_000 }
const batchBytes = 1024 * 1024

/**
 * @returns purges the deleted lists one after the other, in the order of their deletion, until it is told to stop. The next call
 *   goes on where the one before stopped.
 */
export function createListPurge({ db, log }: { db: Database; log: Logger }) {
  const pacer = createPacer(db, batchItems)
  let current: (ListPurge & { deleted: number }) | null = null
  return async (shouldContinue: () => boolean): Promise<void> => {
    while (shouldContinue()) {
      const next = await nextPurge(db)
      if (!next) return
      // Another gateway may have ended the purge that this one had begun.
      if (current?.listId !== next.listId) current = { ...next, deleted: 0 }
      if (!(await purgeList({ db, pacer }, current, shouldContinue))) return
      log('list.purged', { listId: current.listId, deleted: current.deleted })
      current = null
    }
  }
}

/** @returns whether nothing of the list is left */
async function purgeList(
  { db, pacer }: { db: Database; pacer: Pacer },
  purge: ListPurge & { deleted: number },
  shouldContinue: () => boolean,
): Promise<boolean> {
  const { done } = await runBatches(pacer, shouldContinue, async (items) => {
    const batch = await purgeBatch(db, purge, { items, bytes: batchBytes })
    purge.from = batch.position
    purge.deleted += batch.rows
    return batch
  })
  return done
}
