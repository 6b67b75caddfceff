import { existsSync, mkdirSync, readdirSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
const neededBytes = 4 * 2 ** 30
const prefix = 'listd-run-'

/**
 * Keeps the files of the run, including databases, in memory if there is room, unless TMPDIR is set. On a busy disk a sync may take
 * seconds, and a test would then fail because of the disk. Memory also survives the end of a process.
 * @returns where the files are, for people
 */
export function keepFilesInMemory(): string {
  if (process.env.TMPDIR || !hasRoom()) return tmpdir()
  removeLeftOvers()
  const folder = join(memory, `${prefix}${process.pid}`)
  mkdirSync(folder, { mode: 0o755 }) // database servers run as separate accounts
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

/** A killed run leaves its folder. */
function removeLeftOvers(): void {
  const left = readdirSync(memory).filter((name) => name.startsWith(prefix))
  for (const name of left.filter((name) => !existsSync(`/proc/${name.slice(prefix.length)}`))) {
    rmSync(join(memory, name), { recursive: true, force: true })
  }
}
