import { join } from 'node:path'
import { readIfExists, writePrivate } from './private-file.ts'

const fileOf = (dataDir: string) => join(dataDir, 'last-backup')

/** Notes in the data directory that a backup was made, for the doctor. @param at epoch milliseconds */
export function noteBackup(dataDir: string, at: number): Promise<void> {
  return writePrivate(fileOf(dataDir), `${new Date(at).toISOString()}\n`)
}

/** When the last backup was made, in epoch milliseconds; null: never, as far as is known. */
export async function readLastBackup(dataDir: string): Promise<number | null> {
  const at = Date.parse((await readIfExists(fileOf(dataDir)))?.trim() ?? '')
  return Number.isNaN(at) ? null : at
}
