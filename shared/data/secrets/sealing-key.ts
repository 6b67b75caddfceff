import { keyIdOf } from '#shared/crypto/key-text.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Database, Queries, Transaction } from '../database.ts'
import {
  deleteSetting,
  findSetting,
  putIfAbsent,
  putSetting,
  readSettingForShare,
  readSettingForUpdate,
} from '../settings/settings.ts'

// The database determines which key seals, not the order of keys in a configuration: `secretsCheck`, a value that was sealed with
// that key, changes at one moment for all processes. A process that seals reads it under a lock, in the transaction that stores
// the value. So from that moment on, no value that the previous key has sealed is stored. Earlier values are resealed
// (`webhooks/reseal.ts`); until none is left, the id of the previous key is in `oldKeys`.

type KeyCheck = Pick<Sealer, 'has' | 'createCheck' | 'verifyCheck'>

/** The keys that a database needs, by id. */
export type NeededKeys = {
  /** The one that seals; null: nothing was ever sealed. */
  sealing: string | null
  /** Other keys, whose values may not all have been resealed yet. */
  old: readonly string[]
}

/** Of the needed keys, `missing` are those that are not available. */
export type KeyStatus = NeededKeys & { missing: readonly string[] }

/**
 * Verifies that the keys that this database needs are available. The first service to start makes its first key the one that
 * seals.
 * @throws Error with a sentence for the operator when one is missing
 */
export async function verifyMasterKey(db: Database, keys: KeyCheck): Promise<void> {
  // Two services may start first at the same time: the later one verifies its key against the other's value.
  if ((await findSetting(db, 'secretsCheck')) === null) await putIfAbsent(db, 'secretsCheck', keys.createCheck())
  const { missing } = await checkMasterKey(db, keys)
  if (missing.length === 0) return
  throw new StartError(
    startExitCodes.configuration,
    `secrets.masterKey does not have the key ${missing.join(' and ')} that secrets in this database are sealed with, so they ` +
      'cannot be opened. Add it (LISTD_SECRETS_MASTER_KEY, LISTD_SECRETS_MASTER_KEY_FILE, or the key file in the data directory).',
  )
}

/** Which keys the database needs, and which of them are missing. Reads only. @param keys null: there are none */
export async function checkMasterKey(
  db: Queries,
  keys: Pick<KeyCheck, 'has' | 'verifyCheck'> | null,
): Promise<KeyStatus> {
  const check = await findSetting(db, 'secretsCheck')
  const old = await readOldKeys(db)
  const sealing = check === null ? null : keyIdOf(check)
  const missing = old.filter((keyId) => !keys?.has(keyId))
  if (check !== null && sealing !== null && !keys?.verifyCheck(check)) missing.unshift(sealing)
  return { sealing, old, missing }
}

/** The id of the key to seal with, which cannot change before this transaction ends. */
export async function lockSealingKey(tx: Transaction): Promise<string> {
  const check = await readSettingForShare(tx, 'secretsCheck')
  if (check === null) throw new Error('This database has no sealing key yet.')
  return keyIdOf(check)
}

/**
 * Makes this key the one that seals. From the commit on, no value that another key has sealed is stored.
 * @param options.lost ids of keys that are given up
 * @throws Error with a sentence when the key that seals until then is neither available nor given up: it may have begun to seal
 *   after `checkMasterKey`
 */
export async function changeSealingKey(
  db: Database,
  options: { keys: Pick<KeyCheck, 'has' | 'createCheck'>; keyId: string; lost?: ReadonlySet<string> },
): Promise<void> {
  const { keys, keyId, lost = new Set() } = options
  await db.transaction(async (tx) => {
    const check = await readSettingForUpdate(tx, 'secretsCheck')
    if (check !== null && keyIdOf(check) === keyId) return
    if (check !== null && !keys.has(keyIdOf(check)) && !lost.has(keyIdOf(check))) throw otherKeySeals(keyIdOf(check))
    const old = new Set(await readOldKeys(tx))
    if (check !== null) old.add(keyIdOf(check))
    old.delete(keyId)
    await putSetting(tx, 'secretsCheck', keys.createCheck(keyId))
    await writeOldKeys(tx, [...old])
  })
}

/** @throws Error with a sentence when this key is not the one that seals; otherwise it stays so until this transaction ends */
export async function assertSeals(tx: Transaction, keyId: string): Promise<void> {
  const sealing = await lockSealingKey(tx)
  if (sealing !== keyId) throw otherKeySeals(sealing)
}

/** Two concurrent commands want different keys to seal: one of them fails. */
function otherKeySeals(keyId: string): Error {
  return new Error(
    `the key ${keyId} became the sealing key while this command ran: another "listd secrets" was running. ` +
      'Run "listd secrets status", then one command at a time.',
  )
}

/**
 * Records that the database needs only the key that seals and those in `needed`. Does nothing when the key that seals is no
 * longer `sealing`.
 */
export async function forgetOldKeys(
  db: Database,
  { sealing, needed }: { sealing: string; needed: ReadonlySet<string> },
): Promise<void> {
  await db.transaction(async (tx) => {
    const check = await readSettingForUpdate(tx, 'secretsCheck')
    if (check === null || keyIdOf(check) !== sealing) return
    const old = await readOldKeys(tx)
    await writeOldKeys(
      tx,
      old.filter((keyId) => needed.has(keyId)),
    )
  })
}

async function readOldKeys(db: Queries): Promise<string[]> {
  return (await findSetting(db, 'oldKeys'))?.split(' ') ?? []
}

async function writeOldKeys(tx: Transaction, keyIds: readonly string[]): Promise<void> {
  if (keyIds.length === 0) await deleteSetting(tx, 'oldKeys')
  else await putSetting(tx, 'oldKeys', keyIds.join(' '))
}
