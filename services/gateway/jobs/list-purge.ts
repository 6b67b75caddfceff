import type { Database } from '#shared/data/database.ts'
import { type ListPurge, nextPurge, purgeBatch } from '#shared/data/lists/list-purge.ts'
import type { Logger } from '#shared/log/logger.ts'
import { createPurges, type Purging, startPurges } from './purges.ts'

/**
 * Purges the contents of deleted lists, in one gateway at a time and in batches so small that no writer waits long.
 * @returns a function that stops the job
 */
export function startListPurge({
  db,
  ...job
}: {
  db: Database
  log: Logger
  owner: string
  everyMs?: number
  leaseMs?: number
}): () => Promise<void> {
  return startPurges(purgingOf(db, job.log), { ...job, name: 'list-purge' })
}

/** @returns a function that purges the deleted lists one after the other, in the order of their deletion, until it is stopped */
export function createListPurge({ db, log }: { db: Database; log: Logger }) {
  return createPurges(purgingOf(db, log))
}

/** The items of a batch, and the bytes of their data. */
const batchItems = { first: 20, least: 10, most: 2_000 }
const batchBytes = 1024 * 1024

function purgingOf(db: Database, log: Logger): Purging<ListPurge> {
  return {
    db,
    bounds: batchItems,
    next: () => nextPurge(db),
    isSame: (one, other) => one.listId === other.listId,
    async batch(purge, items) {
      const batch = await purgeBatch(db, purge, { items, bytes: batchBytes })
      return { ...batch, purge: { ...purge, from: batch.position } }
    },
    onEnd: ({ listId }, deleted) => log('list.purged', { listId, deleted }),
  }
}
