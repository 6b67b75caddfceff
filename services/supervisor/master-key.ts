import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '#shared/config/load.ts'
import { isKeyText, keyIdOf, maxKeys, noMasterKey, splitKeys } from '#shared/crypto/key-text.ts'
import { isMissingTable } from '#shared/data/database-errors.ts'
import { databaseFile } from '#shared/data/database-file.ts'
import { readSettings } from '#shared/data/drivers/sqlite/files.ts'
import { describeError } from '#shared/lifecycle/describe-error.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { readIfExists, writePrivate } from './private-file.ts'

/**
 * The file from which child processes read the master key. The first start with SQLite creates it, so that the data directory
 * holds both the database and the key (contract 4). Null when the key is configured.
 * @throws Error with a sentence when there is no key and the database is on a server or was sealed with one, or when the file does
 * not hold keys
 */
export async function masterKeyFile(config: Config): Promise<string | null> {
  if (config.secrets.masterKey !== '') return null
  if (isOnServer(config)) {
    throw new StartError(startExitCodes.configuration, `${noMasterKey.what}: ${noMasterKey.fix}.`)
  }
  const path = keyPath(config)
  if ((await readKeys(path)) === null) {
    await assertNoKeyNeeded(config, path)
    // Imported here because it is needed only once for each data directory.
    const { createMasterKey } = await import('#shared/crypto/seal.ts')
    await writePrivate(path, `${createMasterKey()}\n`)
  }
  return path
}

/** A new key would open nothing, and take the place of the right one. */
async function assertNoKeyNeeded({ database: { url }, dataDir }: Config, path: string): Promise<void> {
  const file = databaseFile({ url, dataDir })
  if (file === null || !existsSync(file)) return
  const { secretsCheck } = await readSettings(file).catch((error: unknown) => {
    if (isMissingTable(error)) return {} as Record<string, string>
    throw new Error(`The database ${file} cannot be read: ${describeError(error)}`)
  })
  if (secretsCheck === undefined) return
  throw new StartError(
    startExitCodes.configuration,
    `the master key ${keyIdOf(secretsCheck)}, which seals secrets in the database, is missing: restore a copy of it as ` +
      `${path}, or set LISTD_SECRETS_MASTER_KEY. If it is lost, docs/operating.md says how to continue without it.`,
  )
}

/** Whether the database is on a server. Other machines may use it too, so no machine may create the key that all of them need. */
export function isOnServer({ database: { url } }: Config): boolean {
  return url !== '' && !url.startsWith('sqlite:')
}

/**
 * The keys, from the configuration or the data directory; null when there are none. Does not create one.
 * @throws Error with a sentence when the file in the data directory does not hold keys
 */
export async function readMasterKey(config: Config): Promise<string | null> {
  return config.secrets.masterKey === '' ? readKeys(keyPath(config)) : config.secrets.masterKey
}

/** The key file of the data directory, whether it exists or not. */
export function keyPath({ dataDir }: Pick<Config, 'dataDir'>): string {
  return join(dataDir, 'master-key')
}

async function readKeys(path: string): Promise<string | null> {
  const text = await readIfExists(path)
  if (text === null) return null
  const keys = splitKeys(text)
  if (keys.length <= maxKeys && keys.every(isKeyText)) return text
  throw new StartError(
    startExitCodes.configuration,
    `${path} does not contain a master key (32 bytes in base64, or several of them): restore a copy of it.`,
  )
}
