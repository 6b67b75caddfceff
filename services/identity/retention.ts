import { deleteExpired } from '#shared/data/background/delete-expired.ts'
import { createPacer } from '#shared/data/background/pacer.ts'
import { createSweep } from '#shared/data/background/sweep.ts'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { signInRows } from '#shared/data/sign-in/retention.ts'
import type { Logger } from '#shared/log/logger.ts'

const everyMs = 10 * 60_000
const batchRows = { first: 50, least: 20, most: 1_000 }

/**
 * Deletes expired sessions, counts of failed logins and expired one-time tokens, in small batches, in one process at a time.
 * @returns stops the job
 */
export function startRetention(options: {
  db: Database
  log: Logger
  /** Identifies this run of the process. */
  owner: string
  firstAfterMs?: number
}): () => Promise<void> {
  const { db, log, firstAfterMs = 60_000 } = options
  const pacer = createPacer(db, batchRows)
  const sweeps = Object.entries(signInRows).map(([name, rows]) => {
    const sweep = createSweep({ pacer, until: () => db.now(), batch: (of) => deleteExpired(db, rows, of) })
    return { name, sweep }
  })

  async function round(shouldContinue: () => boolean): Promise<void> {
    const deleted: Record<string, number> = {}
    for (const { name, sweep } of sweeps) deleted[name] = (await sweep(shouldContinue))?.deleted ?? 0
    if (Object.values(deleted).some((rows) => rows > 0)) log('retention.sign_ins_deleted', deleted)
  }

  return startLeasedJob({ ...options, name: 'sign-in-retention', everyMs, firstAfterMs, round })
}
