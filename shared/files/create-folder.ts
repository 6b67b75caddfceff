import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Creates a folder that only this user may use, including missing parents. Node's own recursive creation never ends if the system reports a
 * new folder in an existing one as missing, as in /proc.
 * @throws Error with a sentence when a file has the name
 */
export async function createFolder(path: string): Promise<void> {
  if (!existsSync(dirname(path))) await createFolder(dirname(path))
  try {
    await mkdir(path, { mode: 0o700 })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    if (!(await stat(path)).isDirectory()) throw new Error(`${path} is a file, and must be a folder.`)
  }
}
