import type { Database } from '#shared/data/database.ts'
import { resetFarRetries } from '#shared/data/dispatch/far-retries.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import type { Logger } from '#shared/log/logger.ts'

type FarRetries = {
  db: Database
  log: Logger
  /** Names this run of the process. */
  owner: string
  retrySeconds: readonly number[]
  leaseMs: number
  wake(): void
}

/**
 * Brings back retries that a clock ahead of time has put too far into the future; runs in one dispatcher at a time.
 * @returns a function that stops it
 */
export function startFarRetries(options: FarRetries): () => Promise<void> {
  const { db, log, owner, retrySeconds, leaseMs, wake } = options
  const longestGapMs = Math.max(0, ...retrySeconds) * 1_000
  return startLeasedJob({
    db,
    log,
    owner,
    firstAfterMs: 5_000,
    name: 'far-retries',
    everyMs: 10 * 60_000,
    async round(goesOn) {
      let webhooks = 0
      for (let found = 1; found > 0 && goesOn(); webhooks += found) {
        found = await resetFarRetries(db, { longestGapMs, leaseMs })
      }
      if (webhooks === 0) return
      log('retry.rescheduled', { webhooks })
      wake()
    },
  })
}
