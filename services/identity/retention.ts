import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '#shared/data/database.ts'
import { startLeasedJob } from '#shared/data/leases/leased-job.ts'
import { deleteEndedSignIns } from '#shared/data/sign-in/retention.ts'
import type { Logger } from '#shared/log/logger.ts'

const everyMs = 10 * 60_000
/** Other writers use the database in between. */
const betweenBatchesMs = 50

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

  async function round(shouldContinue: () => boolean): Promise<void> {
    const now = await db.now()
    const deleted = { sessions: 0, attempts: 0, tokens: 0 }
    for (let more = true; more && shouldContinue(); await pause(betweenBatchesMs)) {
      const batch = await deleteEndedSignIns(db, now)
      deleted.sessions += batch.sessions
      deleted.attempts += batch.attempts
      deleted.tokens += batch.tokens
      more = batch.more
    }
    if (deleted.sessions + deleted.attempts + deleted.tokens > 0) log('retention.sign_ins_deleted', deleted)
  }

  return startLeasedJob({ ...options, name: 'sign-in-retention', everyMs, firstAfterMs, round })
}
