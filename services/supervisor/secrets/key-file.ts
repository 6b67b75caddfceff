import { readFile } from 'node:fs/promises'
import { splitKeys } from '#shared/crypto/key-text.ts'
import { createMasterKey, openSealer } from '#shared/crypto/seal.ts'
import { throwNaming } from '#shared/files/with-file-name.ts'
import { writePrivate } from '../private-file.ts'

// The key file of a data directory holds one key, or several lines during a rotation: the new key first, then the previous ones. Each
// change replaces the whole file, so that a crash leaves either the old or the new one.

/** @throws Error when it is missing */
export function readKeyFile(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(throwNaming(path))
}

/** Puts a new key before the others. */
export async function addNewKey(path: string): Promise<void> {
  await writePrivate(path, linesOf([createMasterKey(), ...splitKeys(await readKeyFile(path))]))
}

/**
 * Removes these keys from the file. Each is first written to a separate file next to it, for backups that need it.
 * @param keyIds ids of the keys
 * @returns the paths of these files
 */
export async function dropOldKeys(path: string, keyIds: ReadonlySet<string>): Promise<string[]> {
  const keys = splitKeys(await readKeyFile(path)).map((text) => ({ text, keyId: openSealer(text).keyIds()[0] ?? '' }))
  const dropped = keys.filter(({ keyId }) => keyIds.has(keyId))
  const kept = dropped.map(({ keyId, text }) => ({ file: oldKeyPath(path, keyId), text }))
  for (const { file, text } of kept) await writePrivate(file, linesOf([text]))
  const rest = keys.filter((key) => !dropped.includes(key))
  if (dropped.length > 0) await writePrivate(path, linesOf(rest.map(({ text }) => text)))
  return kept.map(({ file }) => file)
}

/** Where an old key is kept after it was removed from the key file. */
export function oldKeyPath(path: string, keyId: string): string {
  return `${path}.${keyId}`
}

function linesOf(keys: readonly string[]): string {
  return keys.map((key) => `${key}\n`).join('')
}
