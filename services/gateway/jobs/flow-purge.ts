import type { Database } from '#shared/data/database.ts'
import { type FlowPurge, nextFlowPurge, purgeRuns } from '#shared/data/flows/flow-purge.ts'
import type { Logger } from '#shared/log/logger.ts'
import { createPurges, type Purging, startPurges } from './purges.ts'

/**
 * Deletes the runs of deleted flows, in one gateway at a time and in batches so small that no writer waits long.
 * @returns a function that stops the job
 */
export function startFlowPurge({ db, ...job }: { db: Database; log: Logger; owner: string }): () => Promise<void> {
  return startPurges(purgingOf(db), { ...job, name: 'flow-purge' })
}

/** @returns a function that purges the deleted flows one after the other, in the order of their deletion, until it is stopped */
export function createFlowPurge(db: Database) {
  return createPurges(purgingOf(db))
}

const batchRuns = { first: 20, least: 10, most: 1_000 }
/** By then every run that began before its flow was deleted has ended, so no row is added after the purge. */
const runsEndMs = 5 * 60_000

function purgingOf(db: Database): Purging<FlowPurge> {
  return {
    db,
    bounds: batchRuns,
    next: async () => nextFlowPurge(db, (await db.now()) - runsEndMs),
    isSame: (one, other) => one.flowId === other.flowId,
    async batch(purge, most) {
      const batch = await purgeRuns(db, purge, most)
      return { ...batch, purge: { ...purge, after: batch.after } }
    },
  }
}
