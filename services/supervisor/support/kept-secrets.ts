import { readdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Config } from '#shared/config/load.ts'
import { splitKeys } from '#shared/crypto/key-text.ts'
import { keyPath } from '../master-key.ts'
import { natsFilesOf } from '../nats/nats-files.ts'
import { readIfExists } from '../private-file.ts'

/**
 * The secrets that are not a single setting: each master key of the settings and of the data directory, the old keys that a rotation
 * left there, the address of listd's own nats-server with its password, and the lines of NATS credentials.
 * @returns nothing for an unreadable file: it is not in the archive either
 */
export async function readKeptSecrets(config: Config): Promise<string[]> {
  const path = keyPath(config)
  const neighbors = await readdir(dirname(path)).catch(() => [])
  const keyFiles = neighbors.filter((name) => name === basename(path) || name.startsWith(`${basename(path)}.`))
  const read = (file: string) => readIfExists(file).catch(() => null)
  const keys = await Promise.all(keyFiles.map((name) => read(join(dirname(path), name))))
  const [url, credentials] = await Promise.all([
    read(natsFilesOf(config.dataDir).url),
    config.nats.credsFile === '' ? null : read(config.nats.credsFile),
  ])
  return [
    ...[config.secrets.masterKey, ...keys].flatMap((text) => splitKeys(text ?? '')),
    (url ?? '').trim(),
    // The lines around them are plain words.
    ...(credentials ?? '').split(/\s+/).filter((word) => word.length >= leastSecret),
  ]
}

/** A NATS seed has 58 characters, a JWT more. */
const leastSecret = 40
