import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../../database-errors.ts'

/**
 * Why a database file cannot be used. SQLite only reports an I/O error if there is no space for its log and its shared memory, which it
 * needs even to read.
 * @returns the end of a sentence; null: another reason
 */
export async function whyUnusable(error: unknown, filename: string): Promise<string | null> {
  const folder = dirname(filename)
  if (hasCode(error, ['SQLITE_IOERR', 'SQLITE_FULL']) && (await hasNoSpace(folder))) {
    return 'there is no space left on its device; make room there.'
  }
  if (hasCode(error, ['SQLITE_CANTOPEN', 'SQLITE_READONLY', 'SQLITE_IOERR']) && (await isReadOnly(folder))) {
    return 'its file system is read-only; mount it for writing.'
  }
  return null
}

const neededBytes = 64 * 1024

async function hasNoSpace(folder: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder)
  return bavail * bsize < neededBytes
}

function isReadOnly(folder: string): Promise<boolean> {
  return access(folder, constants.W_OK).then(
    () => false,
    (error) => hasCode(error, ['EROFS']),
  )
}
