import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Renames a complete file durably: once this resolves, a power cut does not undo it. */
export async function renameDurably(draft: string, path: string): Promise<void> {
  await sync(draft)
  await rename(draft, path)
  await sync(dirname(path))
}

/**
 * The same, but never replaces another file: it creates a link, which fails if the name exists. On a file system without links, such as on
 * a USB stick, it renames the file.
 * @throws the system's error EEXIST when something has the name
 */
export async function nameDurably(draft: string, path: string): Promise<void> {
  await sync(draft)
  try {
    await link(draft, path)
    await rm(draft)
  } catch (error) {
    if (!withoutLinks.has((error as NodeJS.ErrnoException).code ?? '')) throw error
    await rename(draft, path)
  }
  await sync(dirname(path))
}

const withoutLinks: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'])

async function sync(path: string): Promise<void> {
  const file = await open(path, 'r')
  await file.sync().finally(() => file.close())
}
