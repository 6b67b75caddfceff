import { noMasterKey } from '#shared/crypto/key-text.ts'
import { openKeyRing, type Sealer } from '#shared/crypto/seal.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import type { Database } from '../database.ts'
import { verifyMasterKey } from './sealing-key.ts'

/**
 * The keys of a service, which it reads again when they change.
 * @param keysText the text of `secrets.masterKey`
 * @param readAgain returns the current text
 * @throws StartError with a sentence for the operator when there is none, or one is missing that this database needs
 */
export async function openServiceKeys(db: Database, keysText: string, readAgain: () => string): Promise<Sealer> {
  if (keysText === '') throw new StartError(startExitCodes.configuration, `${noMasterKey.what}: ${noMasterKey.fix}.`)
  const sealer = openKeyRing(keysText, readAgain)
  await verifyMasterKey(db, sealer)
  return sealer
}
