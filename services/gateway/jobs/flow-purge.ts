import { createPacer, runBatches } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { type FlowPurge, nextFlowPurge, purgeRuns } from '#shared/data/flows/flow-purge.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'

/** How long a lease lasts, and how often gateways look. */
const defaultMs = 5_000
const batchRuns = { first: 20, least: 10, most: 1_000 }

/**
 * Deletes the runs of deleted flows, in one gateway at a time and in batches so small that no writer waits long.
 * @returns stops the job
 */
export function startFlowPurge(options: { db: Database; log: Logger; owner: string }): () => Promise<void> {
  const { db } = options
  return startLeasedJob({
    ...options,
    name: 'flow-purge',
    everyMs: defaultMs,
    firstAfterMs: 1_000,
    isDue: async () => (await nextFlowPurge(db)) !== null,
    round: createFlowPurge(db),
  })
}

/** @returns purges the deleted flows one after the other until it is told to stop; the next call goes on there */
export function createFlowPurge(db: Database) {
  const pacer = createPacer(db, batchRuns)
  let current: FlowPurge | null = null
  return async (shouldContinue: () => boolean): Promise<void> => {
    while (shouldContinue()) {
      const next = await nextFlowPurge(db)
      if (!next) return
      // Another gateway may have ended the purge that this one had begun.
      const purge: FlowPurge = current?.flowId === next.flowId ? current : next
      current = purge
      await runBatches(pacer, shouldContinue, async (most) => {
        const batch = await purgeRuns(db, purge, most)
        purge.after = batch.after
        return batch
      })
    }
  }
}
