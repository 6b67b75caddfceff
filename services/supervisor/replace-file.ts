import { type FileHandle, lstat, open, realpath, rename, rm } from 'node:fs/promises'

/**
 * Writes a file of the caller completely or not at all: an existing file stays unchanged on failure. A file keeps its mode, and a
 * symbolic link stays a link. Anything that is not a file, such as /dev/stdout, is written to.
 */
export async function replaceFile(path: string, text: string): Promise<void> {
  await replaceFileBy(path, (file) => file.writeFile(text))
}

/** The same for a file that is written in chunks. */
export async function replaceFileBy(path: string, write: (file: FileHandle) => Promise<void>): Promise<void> {
  const target = await realpath(path).catch(() => path)
  const found = await lstat(target).catch(() => null)
  if (found && !found.isFile()) return writeTo(await open(target, 'w'), write)
  const draft = `${target}.${process.pid}.new`
  const file = await open(draft, 'wx', found?.mode)
  try {
    await writeTo(file, write)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}

async function writeTo(file: FileHandle, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await using opened = file
  await write(opened)
}
