import { existsSync } from 'node:fs'
import { databaseFile } from '#shared/data/database-file.ts'
import { type FileSpace, readSpace } from '#shared/data/drivers/sqlite/files.ts'
import { type Check, type CheckResult, note, ok } from '../check.ts'

const mib = 1024 ** 2
/** Smaller files would free too little to justify a stop. */
const largeBytes = 256 * mib

/** Whether much of a large SQLite file is free, for example after the retention deleted a lot. */
export const freePages: Check = {
  name: 'database file',
  async run({ config: { database, dataDir } }): Promise<CheckResult> {
    const file = databaseFile({ url: database.url, dataDir })
    if (file === null) return ok('none: the database is on a server')
    return existsSync(file) ? checkSpaceIn(await readSpace(file)) : ok('there is no database yet')
  },
}

export function checkSpaceIn({ bytes, freeBytes }: FileSpace): CheckResult {
  const message = `${Math.floor(freeBytes / mib)} of ${Math.ceil(bytes / mib)} MiB are free in the file`
  if (bytes < largeBytes || freeBytes <= bytes / 2) return ok(message)
  return note(message, 'new data reuses them; to return them to the disk, stop listd and run "listd db compact"')
}
