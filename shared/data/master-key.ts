import type { Database, Queries } from './database.ts'
import { findSetting, putIfAbsent } from './settings.ts'

/** The part of a sealer that makes and verifies check values. */
type KeyCheck = { makeCheck(): string; verifyCheck(check: string): boolean }

/**
 * Verifies that the master key is the one that sealed this database's secrets. The first service to start stores the check
 * value that later ones are verified against.
 * @throws Error with a sentence for the operator when it is another key
 */
export async function verifyMasterKey(db: Database, key: KeyCheck): Promise<void> {
  // Two services may start first at once: the later one verifies its key against the other's value.
  const check = (await findSetting(db, 'secretsCheck')) ?? (await putIfAbsent(db, 'secretsCheck', key.makeCheck()))
  if (key.verifyCheck(check)) return
  throw new Error(
    'secrets.masterKey is not the key this database was set up with, so its secrets cannot be opened. ' +
      'Give the original key (LISTD_SECRETS_MASTER_KEY, LISTD_SECRETS_MASTER_KEY_FILE, or the key file in the data directory).',
  )
}

/** Whether a database holds sealed secrets, and if so whether this key, if there is one, opens them. Reads only. */
export async function checkMasterKey(
  db: Queries,
  key: KeyCheck | null,
): Promise<'fits' | 'other' | 'missing' | 'unused'> {
  const check = await findSetting(db, 'secretsCheck')
  if (check === null) return 'unused'
  if (key === null) return 'missing'
  return key.verifyCheck(check) ? 'fits' : 'other'
}
