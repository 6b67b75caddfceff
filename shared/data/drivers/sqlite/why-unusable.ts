import { constants } from 'node:fs'
import { access, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../../database-errors.ts'

/**
 * Why a database file cannot be used, which SQLite does not tell: it speaks of an I/O error where there is no room for its log and
 * for what its processes share, which it needs also to read.
 * @returns the end of a sentence; null: for another reason
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
