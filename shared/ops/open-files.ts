import { readFileSync } from 'node:fs'

/** The most connections of clients that a gateway has. */
export const maxConnections = 4_096
/** Files that a gateway needs besides: the database, NATS, its log and its own code. */
const otherFiles = 200

/** How many files a gateway may have open at its limits; each connection is one. */
export const neededFiles = maxConnections + otherFiles

/** How many connections fit. Past the system's limit they would be closed without a word; past this one that is logged. */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.min(maxConnections, openFiles - otherFiles))
}

/** How many files this process may open; Node.js has raised that as far as the system allows. Infinity where it is not known. */
export function openFilesLimit(limits = readLimits()): number {
  const [, files] = /^Max open files +(\d+) /m.exec(limits) ?? []
  return files === undefined ? Number.POSITIVE_INFINITY : Number(files)
}

function readLimits(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
