import { type Database, isUniqueViolation, type Queries } from './database.ts'
import { getSetting, putSetting } from './settings.ts'

/** The part of a sealer that makes and judges check values. */
export type KeyCheck = { makeCheck(): string; verifyCheck(check: string): boolean }

/**
 * Proves that the master key is the one whose seals this database holds; the first service to come leaves the check value.
 * @throws Error with a sentence for the operator when it is another key
 */
export async function proveMasterKey(db: Database, key: KeyCheck): Promise<void> {
  const check = (await getSetting(db, 'secretsCheck')) ?? (await leaveCheck(db, key))
  if (key.verifyCheck(check)) return
  throw new Error(
    'secrets.masterKey is not the key this database was set up with, so its secrets cannot be opened. ' +
      'Give the original key (LISTD_SECRETS_MASTER_KEY, LISTD_SECRETS_MASTER_KEY_FILE, or the key file in the data directory).',
  )
}

/** Whether a database holds anything that was sealed, and if so whether this key, if there is one, opens it. Reads only. */
export async function judgeMasterKey(
  db: Queries,
  key: KeyCheck | null,
): Promise<'fits' | 'other' | 'missing' | 'unused'> {
  const check = await getSetting(db, 'secretsCheck')
  if (check === null) return 'unused'
  if (key === null) return 'missing'
  return key.verifyCheck(check) ? 'fits' : 'other'
}

/** Two services may come first at once: the one that is late judges by the other's value. */
async function leaveCheck(db: Database, key: KeyCheck): Promise<string> {
  const check = key.makeCheck()
  try {
    return await db.transaction(async (tx) => {
      const present = await getSetting(tx, 'secretsCheck')
      if (present === null) await putSetting(tx, 'secretsCheck', check)
      return present ?? check
    })
  } catch (error) {
    const present = isUniqueViolation(error) ? await getSetting(db, 'secretsCheck') : null
    if (present === null) throw error
    return present
  }
}
