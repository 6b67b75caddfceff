import { open, readFile } from 'node:fs/promises'
import { hasCode } from '#shared/data/database-errors.ts'
import { renameDurably } from '#shared/files/rename-durably.ts'

/** The text of a file, or null when it does not exist. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return null
    throw error
  }
}

/** Writes a file that only this user may read, completely or not at all, even if the power fails. */
export async function writePrivate(path: string, text: string): Promise<void> {
  const draft = `${path}.new`
  const file = await open(draft, 'w', 0o600)
  try {
    // A draft left behind by a crash would keep its mode.
    await file.chmod(0o600)
    await file.writeFile(text)
  } finally {
    await file.close()
  }
  await renameDurably(draft, path)
}
