import { link, open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** How long a lock is waited for, and after how long one is abandoned: its holder only reads and writes a small file. */
const patienceMs = 15_000
const abandonedMs = 10_000
const pollMs = 20

/**
 * Runs work while no other command does so with the same file. What a killed command has left is taken over.
 * @param path of the lock, a file that is there only meanwhile
 * @throws Error with a sentence when others have it too long; what the work throws
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  while (!(await take(path))) {
    if (performance.now() > giveUpAt) throw new Error(`${path} is there: another command is changing the file.`)
    await dropAbandoned(path)
    await pause(pollMs)
  }
  try {
    return await work()
  } finally {
    await rm(path, { force: true })
  }
}

async function take(path: string): Promise<boolean> {
  try {
    await (await open(path, 'wx')).close()
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function dropAbandoned(path: string): Promise<void> {
  const found = await stat(path).catch(() => null)
  if (!found || Date.now() - found.mtimeMs < abandonedMs) return
  // Moved first: of several that find it only one may drop it, and none a lock that was acquired meanwhile.
  const aside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await rename(path, aside).catch(() => {})
  const moved = await stat(aside).catch(() => null)
  if (moved && moved.ino !== found.ino) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}
