import { existsSync } from 'node:fs'
import type { Database } from '#shared/data/database.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { openDatabase } from '#shared/data/open-database.ts'
import { AppError } from '#shared/errors.ts'
import { type CheckResult, type DoctorContext, note } from './check.ts'

/** The results when there is no database yet, and when a server cannot be used: only one check reports why. */
type Otherwise<Result> = { none: Result; unusable: (error: unknown) => Result }

/** Runs a check on the configured database without creating a missing one. */
export async function onDatabase<Result, Else = Result>(
  { config }: Pick<DoctorContext, 'config'>,
  run: (db: Database) => Promise<Result>,
  { none, unusable }: Otherwise<Else>,
): Promise<Result | Else> {
  const where = { ...config.database, dataDir: config.dataDir, readers: 1 }
  const file = databaseFile(where)
  if (file !== null && !existsSync(file)) return none
  let db: Database
  try {
    db = await openDatabase(where)
  } catch (error) {
    if (file !== null) throw error
    return unusable(error)
  }
  try {
    return await run(db)
  } catch (error) {
    // If the database user lacks rights, every check would report the same.
    if (file === null && error instanceof AppError) return unusable(error)
    throw error
  } finally {
    await db.close()
  }
}

/** For checks that do not report why the database cannot be used. */
export function notChecked(): CheckResult {
  return note('not checked: the database cannot be used', 'see above')
}
