import type { Database } from '#shared/data/database.ts'
import { findStorageFailure } from '#shared/data/find-storage-failure.ts'
import { assertNotTooNew, readCompatibleFrom } from '#shared/data/migrate.ts'
import { SchemaError } from '#shared/data/schema-error.ts'

const everyMs = 5_000

/**
 * Checks every 5 s whether a newer listd has upgraded the schema beyond what this process supports. Its writes could be wrong
 * from then on, so it has to end.
 * @returns `failed` resolves with the sentence for the operator when that has happened
 */
export function watchSchema(db: Database): { failed: Promise<string>; stop(): void } {
  const { promise: failed, resolve } = Promise.withResolvers<string>()
  async function look(): Promise<void> {
    try {
      assertNotTooNew({ compatibleFrom: await readCompatibleFrom(db) })
      // Notices when there is room again, even if no client requests readiness.
      await findStorageFailure(db)
    } catch (error) {
      // Any other error is an unreachable database, which readiness reports.
      if (error instanceof SchemaError) resolve(error.message)
    }
  }
  const timer = setInterval(look, everyMs)
  return { failed, stop: () => clearInterval(timer) }
}
