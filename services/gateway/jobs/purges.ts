import type { BatchBounds } from '#shared/data/background/pace.ts'
import { type Batch, createPacer, type Pacer, runBatches } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'

/** How the contents of deleted resources are purged. A `Purge` is one such resource, with the start of its next batch. */
export type Purging<Purge> = {
  db: Database
  bounds: BatchBounds
  /** The next purge, from its beginning; null: there is none. */
  next(): Promise<Purge | null>
  isSame(one: Purge, other: Purge): boolean
  /** Processes a batch, and removes the purge after the last one. @returns `purge`: the purge with the start of its next batch */
  batch(purge: Purge, most: number): Promise<Batch & { purge: Purge }>
  onEnd?(purge: Purge, rows: number): void
}

/** How long a lease lasts, and how often gateways check for work: when one dies, another takes over after at most twice this time. */
const defaultMs = 5_000

/**
 * Purges in one gateway at a time.
 * @returns a function that stops the job
 */
export function startPurges<Purge>(
  purging: Purging<Purge>,
  job: { name: string; log: Logger; owner: string; everyMs?: number; leaseMs?: number },
): () => Promise<void> {
  return startLeasedJob({
    everyMs: defaultMs,
    leaseMs: defaultMs,
    ...job,
    db: purging.db,
    firstAfterMs: 1_000,
    isDue: async () => (await purging.next()) !== null,
    round: createPurges(purging),
  })
}

/**
 * @returns a function that runs one purge after the other, each in batches so small that no writer waits long, until stopped. The next call
 *   continues where the previous one stopped.
 */
export function createPurges<Purge>(purging: Purging<Purge>): (shouldContinue: () => boolean) => Promise<void> {
  const pacer = createPacer(purging.db, purging.bounds)
  let current: Begun<Purge> | null = null
  return async (shouldContinue) => {
    while (shouldContinue()) {
      const next = await purging.next()
      if (!next) return
      // Another gateway may have finished the purge that this one began.
      if (!current || !purging.isSame(current.purge, next)) current = { purge: next, rows: 0 }
      if (!(await goOn({ ...purging, pacer }, current, shouldContinue))) return
      purging.onEnd?.(current.purge, current.rows)
      current = null
    }
  }
}

type Begun<Purge> = { purge: Purge; rows: number }

/** Continues a purge. @returns whether it is complete */
async function goOn<Purge>(
  { pacer, batch }: Pick<Purging<Purge>, 'batch'> & { pacer: Pacer },
  begun: Begun<Purge>,
  shouldContinue: () => boolean,
): Promise<boolean> {
  const { done } = await runBatches(pacer, shouldContinue, async (most) => {
    const last = await batch(begun.purge, most)
    begun.purge = last.purge
    begun.rows += last.rows
    return last
  })
  return done
}
