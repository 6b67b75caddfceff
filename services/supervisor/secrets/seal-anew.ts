import { setTimeout as pause } from 'node:timers/promises'
import type { Config } from '#shared/config/load.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import { changeSealingKey, checkMasterKey, forgetOldKeys } from '#shared/data/secrets/sealing-key.ts'
import { countSealedSecrets, resealSecrets } from '#shared/data/webhooks/reseal.ts'
import { assertServicesKnow } from './ask-services.ts'

export type SealedAnew = {
  resealed: number
  /** Of the other keys, how many secrets each has sealed that could not be sealed anew, by its id. */
  left: ReadonlyMap<string, number>
}

/** Lets other writers have the database in between. */
const betweenBatchesMs = 20

/**
 * Makes a key the one that seals, and seals with it what others have sealed, while services run. It may be stopped at any point
 * and called again.
 * @param options.onProgress called with how many were sealed anew so far
 * @throws Error with a sentence, before anything is changed, when a key is missing here or in a running service
 */
export async function sealAnew(options: {
  config: Config
  db: Database
  sealer: Sealer
  keyId: string
  onProgress(resealed: number): void
}): Promise<SealedAnew> {
  const { config, db, sealer, keyId, onProgress } = options
  await assertKeysHere(db, sealer)
  await assertServicesKnow(keyId, config)
  await changeSealingKey(db, sealer, keyId)
  let resealed = 0
  for (let after: string | null = ''; after !== null; await pause(betweenBatchesMs)) {
    const batch = await resealSecrets(db, { sealer, keyId, after })
    resealed += batch.resealed
    onProgress(resealed)
    after = batch.last
  }
  const left = new Map(await countSealedSecrets(db))
  left.delete(keyId)
  await forgetOldKeys(db, { sealing: keyId, needed: new Set(left.keys()) })
  return { resealed, left }
}

/** Without one of them, some secrets would be left for ever. */
async function assertKeysHere(db: Database, sealer: Sealer): Promise<void> {
  const { missing } = await checkMasterKey(db, sealer)
  if (missing.length === 0) return
  throw new Error(
    `secrets in this database are sealed with the key ${missing.join(' and ')}, which is not here. Add it behind the others.`,
  )
}
