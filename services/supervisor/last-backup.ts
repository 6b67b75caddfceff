import { chown, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { readIfExists, writePrivate } from './private-file.ts'

const fileOf = (dataDir: string) => join(dataDir, 'last-backup')

/** Notes in the data directory that a backup was made, for the doctor. @param at epoch milliseconds */
export async function noteBackup(dataDir: string, at: number): Promise<void> {
  const file = fileOf(dataDir)
  await writePrivate(file, `${new Date(at).toISOString()}\n`)
  if (process.getuid?.() !== 0) return
  // Backups are made by root's timers, and the doctor is run as the user who listd runs as.
  const { uid, gid } = await stat(dataDir)
  await chown(file, uid, gid)
}

/** When the last backup was made, in epoch milliseconds; null: never, as far as is known. */
export async function readLastBackup(dataDir: string): Promise<number | null> {
  const at = Date.parse((await readIfExists(fileOf(dataDir)))?.trim() ?? '')
  return Number.isNaN(at) ? null : at
}
