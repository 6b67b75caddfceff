import { chown, stat } from 'node:fs/promises'
import { lastBackupFile } from '#shared/ops/last-backup.ts'
import { writePrivate } from './private-file.ts'

/** Records in the data directory that a backup was written, for the doctor and the metrics. @param at epoch milliseconds */
export async function recordBackup(dataDir: string, at: number): Promise<void> {
  const file = lastBackupFile(dataDir)
  await writePrivate(file, `${new Date(at).toISOString()}\n`)
  if (process.getuid?.() !== 0) return
  // Timers of root write backups, while the doctor runs as listd's user.
  const { uid, gid } = await stat(dataDir)
  await chown(file, uid, gid)
}
