import type { Database } from '#shared/data/database.ts'
import { clampRetries } from '#shared/data/dispatch/clamp-retries.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'

type Clamping = {
  db: Database
  log: Logger
  /** Identifies this run of the process. */
  owner: string
  retrySeconds: readonly number[]
  leaseMs: number
  wake(): void
}

/**
 * Moves retries back that a fast clock has scheduled too far in the future; runs in one dispatcher at a time.
 * @returns a function that stops it
 */
export function startClampingRetries(options: Clamping): () => Promise<void> {
  const { db, log, owner, retrySeconds, leaseMs, wake } = options
  const longestGapMs = Math.max(0, ...retrySeconds) * 1_000
  return startLeasedJob({
    db,
    log,
    owner,
    firstAfterMs: 5_000,
    name: 'far-retries',
    everyMs: 10 * 60_000,
    async round(shouldContinue) {
      let webhooks = 0
      for (let found = 1; found > 0 && shouldContinue(); webhooks += found) {
        found = await clampRetries(db, { longestGapMs, leaseMs })
      }
      if (webhooks === 0) return
      log('retry.rescheduled', { webhooks })
      wake()
    },
  })
}
