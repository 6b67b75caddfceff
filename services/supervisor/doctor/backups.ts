import { readLastBackup } from '#shared/ops/last-backup.ts'
import { isOnServer } from '../master-key.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'

const dayMs = 86_400_000
const goodDays = 7

/** The age of the newest backup that `listd backup` has written of this data directory's database. */
export const backupAge: Check = {
  name: 'backup',
  async run({ config }): Promise<CheckResult> {
    if (isOnServer(config)) return ok('not known: the server\'s own tool writes it, as "listd backup" explains')
    return checkBackupAge(await readLastBackup(config.dataDir), Date.now())
  },
}

/** @param writtenAt epoch milliseconds; null: no backup was written */
export function checkBackupAge(writtenAt: number | null, now: number): CheckResult {
  const fix = 'run "listd backup FILE" every day, and copy the file to another machine'
  if (writtenAt === null) return note('none has been written with "listd backup"', fix)
  const days = Math.floor((now - writtenAt) / dayMs)
  const last = `the last one was written ${new Date(writtenAt).toISOString()}`
  return days < goodDays ? ok(last) : note(`${last}, ${days} days ago`, fix)
}
