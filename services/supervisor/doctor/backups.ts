import { readLastBackup } from '#shared/ops/last-backup.ts'
import { isOnServer } from '../master-key.ts'
import { type Check, type CheckResult, note, ok } from './check.ts'

const dayMs = 86_400_000
const goodDays = 7

/** How old the newest backup is that `listd backup` has made of this data directory's database. */
export const backupAge: Check = {
  name: 'backup',
  async run({ config }): Promise<CheckResult> {
    if (isOnServer(config)) return ok('not known: the server\'s own tool makes it, as "listd backup" tells')
    return checkBackupAge(await readLastBackup(config.dataDir), Date.now())
  },
}

/** @param madeAt epoch milliseconds; null: none was made */
export function checkBackupAge(madeAt: number | null, now: number): CheckResult {
  const fix = 'run "listd backup FILE" every day, and copy the file to another machine'
  if (madeAt === null) return note('none has been made with "listd backup"', fix)
  const days = Math.floor((now - madeAt) / dayMs)
  const made = `the last one was made ${new Date(madeAt).toISOString()}`
  return days < goodDays ? ok(made) : note(`${made}, ${days} days ago`, fix)
}
