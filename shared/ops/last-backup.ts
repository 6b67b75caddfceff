import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '#shared/data/database-errors.ts'

/** Where `listd backup` notes when it created the last backup. */
export const lastBackupFile = (dataDir: string): string => join(dataDir, 'last-backup')

/** When the last backup was created, in epoch milliseconds; null: never, as far as is known. */
export async function readLastBackup(dataDir: string): Promise<number | null> {
  try {
    const at = Date.parse((await readFile(lastBackupFile(dataDir), 'utf8')).trim())
    return Number.isNaN(at) ? null : at
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return null
    throw error
  }
}
