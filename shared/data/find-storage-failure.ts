import type { Database } from './database.ts'
import type { StorageFailure } from './database-listener.ts'
import { putSetting, type SettingKey } from './settings/settings.ts'
import { sql } from './sql/sql.ts'

/** Longer than the space that a database has already reserved. */
const trial = ' '.repeat(64 * 1024)

/**
 * The reason why the database cannot store anything now; null: it can. After a failed write this tries another one, so that
 * recovery is noticed as soon as there is room again.
 */
export async function findStorageFailure(db: Database): Promise<StorageFailure | null> {
  if (db.storage.failure() === null) return null
  try {
    await putSetting(db, 'trial', trial)
    db.storage.works()
    await db.run(sql`delete from settings where name = ${'trial' satisfies SettingKey}`)
  } catch {
    // The driver has recorded the failure.
  }
  return db.storage.failure()
}
