import type { Database } from './database.ts'
import type { StorageFault } from './drivers/storage.ts'
import { putSetting, type SettingKey } from './settings.ts'
import { sql } from './sql/sql.ts'

/** More than finds room in what a database keeps ready. */
const trial = ' '.repeat(64 * 1024)

/**
 * What keeps the database from storing anything now; null: nothing does. After a write that could not be stored one is
 * tried, so that it is known as soon as there is room again.
 */
export async function findStorageFault(db: Database): Promise<StorageFault | null> {
  if (db.storage.fault() === null) return null
  try {
    await putSetting(db, 'trial', trial)
    db.storage.works()
    await db.run(sql`delete from settings where name = ${'trial' satisfies SettingKey}`)
  } catch {
    // The engine has noted what it was.
  }
  return db.storage.fault()
}
