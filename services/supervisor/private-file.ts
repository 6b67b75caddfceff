import { open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '#shared/data/database-errors.ts'

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
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
  const folder = await open(dirname(path), 'r')
  await folder.sync().finally(() => folder.close())
}
