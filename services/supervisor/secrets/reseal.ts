import type { Config } from '#shared/config/load.ts'
import type { Sealer } from '#shared/crypto/seal.ts'
import { createPacer, runBatches } from '#shared/data/background/pacer.ts'
import type { Database } from '#shared/data/database.ts'
import { changeSealingKey, checkMasterKey, forgetOldKeys } from '#shared/data/secrets/sealing-key.ts'
import { countSealedSecrets, resealSecrets } from '#shared/data/webhooks/reseal.ts'
import { assertServicesKnow } from './ask-services.ts'

export type Resealed = {
  resealed: number
  /** The number of secrets that could not be resealed, by the id of their key. */
  left: ReadonlyMap<string, number>
  /** The same for keys that were given up. */
  lost: ReadonlyMap<string, number>
}

/** Webhooks in a batch; the pacer sizes it so that other writers hardly wait. */
const batchWebhooks = { first: 50, least: 10, most: 500 }

/**
 * Makes a key the sealing key, and reseals with it what other keys have sealed, while services run. It may be stopped at any point
 * and called again.
 * @param options.lost ids of lost keys, whose secrets are given up
 * @param options.onProgress called with the number of secrets resealed so far
 * @throws Error with a sentence, before anything is changed, when a key is missing here or in a running service; also when another
 * process has chosen another sealing key
 */
export async function reseal(options: {
  config: Config
  db: Database
  sealer: Sealer
  keyId: string
  lost?: ReadonlySet<string>
  onProgress(resealed: number): void
}): Promise<Resealed> {
  const { config, db, sealer, keyId, lost = new Set(), onProgress } = options
  await assertKeysHere(db, { sealer, lost })
  await assertServicesKnow(keyId, { config, db })
  await changeSealingKey(db, { keys: sealer, keyId, lost })
  let [resealed, after] = [0, '']
  const pacer = createPacer(db, batchWebhooks)
  await runBatches(
    pacer,
    () => true,
    async (rows) => {
      const batch = await resealSecrets(db, { sealer, keyId, after, rows })
      resealed += batch.resealed
      onProgress(resealed)
      after = batch.last ?? after
      return batch
    },
  )
  const others = [...(await countSealedSecrets(db))].filter(([id]) => id !== keyId)
  const left = new Map(others.filter(([id]) => !lost.has(id)))
  await forgetOldKeys(db, { sealing: keyId, needed: new Set(left.keys()) })
  return { resealed, left, lost: new Map(others.filter(([id]) => lost.has(id))) }
}

/** If one of them is missing, some secrets could never be resealed. */
async function assertKeysHere(
  db: Database,
  { sealer, lost }: { sealer: Sealer; lost: ReadonlySet<string> },
): Promise<void> {
  const missing = (await checkMasterKey(db, sealer)).missing.filter((keyId) => !lost.has(keyId))
  if (missing.length === 0) return
  throw new Error(
    `secrets in this database are sealed with the key ${missing.join(' and ')}, which is missing. Add it after the others, ` +
      'or give up what it has sealed with "listd secrets reseal --give-up".',
  )
}
