import type { Database, Queries } from './database.ts'
import { getSetting, putIfAbsent } from './settings.ts'

/** The part of a sealer that makes and validates check values. */
export type KeyCheck = { makeCheck(): string; verifyCheck(check: string): boolean }

/**
 * Proves that the master key is the one whose seals this database holds; the first service to come leaves the check value.
 * @throws Error with a sentence for the operator when it is another key
 */
export async function verifyMasterKey(db: Database, key: KeyCheck): Promise<void> {
  // Two services may come first at once: the one that is late validates by the other's value.
  const check = (await getSetting(db, 'secretsCheck')) ?? (await putIfAbsent(db, 'secretsCheck', key.makeCheck()))
  if (key.verifyCheck(check)) return
  throw new Error(
    'secrets.masterKey is not the key this database was set up with, so its secrets cannot be opened. ' +
      'Give the original key (LISTD_SECRETS_MASTER_KEY, LISTD_SECRETS_MASTER_KEY_FILE, or the key file in the data directory).',
  )
}

/** Whether a database holds anything that was sealed, and if so whether this key, if there is one, opens it. Reads only. */
export async function checkMasterKey(
  db: Queries,
  key: KeyCheck | null,
): Promise<'fits' | 'other' | 'missing' | 'unused'> {
  const check = await getSetting(db, 'secretsCheck')
  if (check === null) return 'unused'
  if (key === null) return 'missing'
  return key.verifyCheck(check) ? 'fits' : 'other'
}
