import { link, open, rename, rm, stat } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'

/** How long to wait for a lock, and when a lock counts as abandoned: its holder only reads and writes a small file. */
const patienceMs = 15_000
const abandonedMs = 10_000
const pollMs = 20

/**
 * Runs work while no other command does so with the same file. A lock that a killed command left is removed.
 * @param path of the lock, a file that exists only during the work
 * @throws Error with a sentence when others hold the lock too long; what the work throws
 */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  while (!(await take(path))) {
    if (performance.now() > giveUpAt) throw new Error(`${path} exists: another command is changing the file.`)
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
  // Moved first: only one of several processes may drop it, and none may drop a lock that was acquired since.
  const aside = `${path}.${process.pid}.${Math.random().toString(36).slice(2)}`
  await rename(path, aside).catch(() => {})
  const moved = await stat(aside).catch(() => null)
  if (moved && moved.ino !== found.ino) await link(aside, path).catch(() => {})
  await rm(aside, { force: true })
}
