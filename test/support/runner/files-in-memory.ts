import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30
const prefix = 'listd-run-'

/**
 * Keeps the files of the run, databases too, in memory where there is room for them, unless TMPDIR says where they go. A
 * disk that others keep busy answers a sync seconds late, and then a test fails for the disk. What survives the end of a
 * process is the same in memory.
 * @returns where the files are, for people
 */
export function keepFilesInMemory(): string {
  if (process.env.TMPDIR || !hasRoom()) return tmpdir()
  removeLeftOvers()
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { mode: 0o755 }) // database servers run as accounts of their own
  process.on('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  process.env.TMPDIR = folder
  return `${folder}, in memory`
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return Math.min(bavail * bsize, process.availableMemory()) >= neededBytes
  } catch {
    return false
  }
}

/** A run that was killed leaves its folder. */
function removeLeftOvers(): void {
  const left = readdirSync(memory).filter((name) => name.startsWith(prefix))
  for (const name of left.filter((name) => !existsSync(`/proc/${name.slice(prefix.length)}`))) {
    rmSync(join(memory, name), { recursive: true, force: true })
  }
}
