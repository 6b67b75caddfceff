import type { Database } from '#shared/data/database.ts'
import { findStorageFailure } from '#shared/data/find-storage-failure.ts'
import { assertNotTooNew, readCompatibleFrom } from '#shared/data/migrate.ts'
import { SchemaError } from '#shared/data/schema-error.ts'

const everyMs = 5_000

/**
 * Looks now and then whether a newer listd has upgraded the schema past what this process runs on: what it writes from then on
 * could be wrong, so it has to end.
 * @returns `failed` resolves with the sentence for the operator when that has happened
 */
export function watchSchema(db: Database): { failed: Promise<string>; stop(): void } {
  const { promise: failed, resolve } = Promise.withResolvers<string>()
  async function look(): Promise<void> {
    try {
      assertNotTooNew({ compatibleFrom: await readCompatibleFrom(db) })
      // So that it is noticed when there is room again, also where no client asks for readiness.
      await findStorageFailure(db)
    } catch (error) {
      // Any other error is an unreachable database, which readiness reports.
      if (error instanceof SchemaError) resolve(error.message)
    }
  }
  const timer = setInterval(look, everyMs)
  return { failed, stop: () => clearInterval(timer) }
}
