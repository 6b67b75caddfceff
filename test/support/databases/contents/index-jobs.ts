import { createIndexBuilds } from '#services/gateway/jobs/index-builds.ts'
import { newId } from '#shared/crypto/ids.ts'
import type { Database } from '#shared/data/database.ts'
import { createLogger } from '#shared/log/logger.ts'

const log = createLogger({ service: 'test', level: 'silent' })

/** Runs all pending builds and purges, like a gateway that holds the lease. */
export function runBuilds(db: Database, shouldContinue: () => boolean = () => true): Promise<void> {
  return createIndexBuilds({ db, announce() {}, hint() {}, log, newId, now: Date.now })(shouldContinue)
}
