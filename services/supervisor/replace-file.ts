import { type FileHandle, lstat, open, realpath, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { throwNaming, withFileName } from '#shared/files/with-file-name.ts'

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
  if (found && !found.isFile())
    return writeTo(await open(target, 'w').catch(throwNaming(path)), write).catch(throwNaming(path))
  const draft = `${target}.${process.pid}.new`
  const file = await open(draft, 'wx', found?.mode).catch((error: NodeJS.ErrnoException) => {
    // The draft is not what the caller knows; a missing file means that its folder is missing.
    throw withFileName(error, error.code === 'ENOENT' ? dirname(path) : path)
  })
  try {
    await writeTo(file, write)
    await rename(draft, target)
  } catch (error) {
    await rm(draft, { force: true })
    throw withFileName(error, path)
  }
}

async function writeTo(file: FileHandle, write: (file: FileHandle) => Promise<void>): Promise<void> {
  await using opened = file
  await write(opened)
}
