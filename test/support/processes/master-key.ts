import { masterKeyFile, readMasterKey } from '#services/supervisor/master-key.ts'
import { loadConfig } from '#shared/config/load.ts'
import { openSealer } from '#shared/crypto/seal.ts'
import type { Database } from '#shared/data/database.ts'
import { verifyMasterKey } from '#shared/data/secrets/sealing-key.ts'
import { settingsOf } from './command-line.ts'

/** Writes what the first start writes of its master key, in the data directory and in the migrated database. */
export async function leaveMasterKey(dataDir: string, db: Database): Promise<void> {
  const config = loadConfig({ env: settingsOf(dataDir) })
  await masterKeyFile(config)
  await verifyMasterKey(db, openSealer((await readMasterKey(config)) ?? ''))
}
