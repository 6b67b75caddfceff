import { join } from 'node:path'
import type { Config } from '#shared/config/load.ts'
import { readIfThere, writePrivate } from './private-file.ts'

/**
 * The file children read the master key from; made on the first start with SQLite, whose data directory then holds both
 * (contract 4). Null when the configuration gives the key itself.
 * @throws Error with a sentence when there is no key and this is no place to make one
 */
export async function masterKeyFile(config: Config): Promise<string | null> {
  if (config.secrets.masterKey !== '') return null
  if (isOnServer(config)) {
    throw new Error(
      'secrets.masterKey is not set. Beside a database server it must be given: make one with "openssl rand -base64 32", ' +
        'keep a copy, and set it as LISTD_SECRETS_MASTER_KEY or in the file LISTD_SECRETS_MASTER_KEY_FILE names.',
    )
  }
  const path = keyPath(config)
  if ((await readIfThere(path)) === null) {
    // Loaded here because it is needed once in the life of a data directory.
    const { makeMasterKey } = await import('#shared/crypto/seal.ts')
    await writePrivate(path, `${makeMasterKey()}\n`)
  }
  return path
}

/** Whether the database is on a server, which other machines may use too: none of them makes the key of all. */
export function isOnServer({ database: { url } }: Config): boolean {
  return url !== '' && !url.startsWith('sqlite:')
}

/** The key in force, configured or of the data directory; null when there is none. Makes none. */
export async function readMasterKey(config: Config): Promise<string | null> {
  return config.secrets.masterKey === '' ? readIfThere(keyPath(config)) : config.secrets.masterKey
}

function keyPath({ dataDir }: Config): string {
  return join(dataDir, 'master-key')
}
