import type { Database } from '#shared/data/database.ts'
import { findStorageFailure } from '#shared/data/find-storage-failure.ts'
import { schemaFits } from '#shared/data/migrate.ts'
import type { CheckResult } from './readiness.ts'

/**
 * Whether the database can be used (contract 2.8). The check fails when the database is unreachable, or after an upgrade to a
 * schema that this version does not support. While the database can be read but not written, the result is degraded, because
 * reads continue.
 */
export function createDatabaseCheck(db: Database): () => Promise<CheckResult> {
  let running: Promise<CheckResult> | null = null
  // Concurrent calls share one check, which may try a write.
  return () => {
    running ??= checkDatabase(db).finally(() => {
      running = null
    })
    return running
  }
}

async function checkDatabase(db: Database): Promise<CheckResult> {
  if (!(await schemaFits(db))) return { failed: 'the schema is too new for this version' }
  const failure = await findStorageFailure(db)
  return failure === null ? 'ok' : { degraded: failure }
}
