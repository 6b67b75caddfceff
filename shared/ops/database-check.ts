import type { Database } from '#shared/data/database.ts'
import { schemaFits } from '#shared/data/migrate.ts'
import { findStorageFault } from '#shared/data/storage-fault.ts'
import type { CheckResult } from './readiness.ts'

/**
 * Whether the database serves (contract 2.8): it fails when it is away, and when an upgrade has made it one that this
 * process does not fit. While it reads and cannot store anything it is degraded, because reads go on.
 */
export function createDatabaseCheck(db: Database): () => Promise<CheckResult> {
  let looking: Promise<CheckResult> | null = null
  // Of many who ask at once, only the first makes it try a write.
  return () => {
    looking ??= look(db).finally(() => {
      looking = null
    })
    return looking
  }
}

async function look(db: Database): Promise<CheckResult> {
  if (!(await schemaFits(db))) return { failed: 'the schema is too new for this version' }
  const fault = await findStorageFault(db)
  return fault === null ? 'ok' : { degraded: fault }
}
