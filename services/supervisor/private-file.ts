import { open, readFile, rm } from 'node:fs/promises'
import { hasCode } from '#shared/data/database-errors.ts'
import { renameDurably } from '#shared/files/rename-durably.ts'
import { withFileName } from '#shared/files/with-file-name.ts'

/** The text of a file, or null when it does not exist. */
export async function readIfExists(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, ['ENOENT'])) return null
    throw withFileName(error, path)
  }
}

/** Writes a file that only this user may read, completely or not at all, even if the power fails. */
export function writePrivate(path: string, text: string | Buffer): Promise<void> {
  return writePrivateTogether([{ path, text }])
}

/** Writes several such files: if there is no room for one of them, all stay unchanged. */
export async function writePrivateTogether(files: readonly { path: string; text: string | Buffer }[]): Promise<void> {
  const drafts = files.map(({ path, text }) => ({ path, text, draft: `${path}.new` }))
  try {
    for (const { draft, text } of drafts) await writeDraft(draft, text)
  } catch (error) {
    for (const { draft } of drafts) await rm(draft, { force: true }).catch(() => {})
    throw error
  }
  for (const { draft, path } of drafts) await renameDurably(draft, path)
}

async function writeDraft(draft: string, text: string | Buffer): Promise<void> {
  const file = await open(draft, 'w', 0o600)
  try {
    // A draft left by a crash would keep its mode.
    await file.chmod(0o600)
    await file.writeFile(text)
    await file.sync()
  } catch (error) {
    throw withFileName(error, draft)
  } finally {
    await file.close()
  }
}
