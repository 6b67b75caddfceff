import { lstat, realpath, rename, rm, writeFile } from 'node:fs/promises'

/**
 * Writes a file of the person who calls, completely or not at all: what was there stays when something fails. A file keeps its
 * mode, and a symbolic link its place. What is no file, such as /dev/stdout, is written to.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const found = await lstat(target).catch(() => null)
  if (found && !found.isFile()) return writeFile(target, text)
  const draft = `${target}.${process.pid}.new`
  try {
    await writeFile(draft, text, { flag: 'wx', ...(found && { mode: found.mode }) })
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
