import { readFileSync } from 'node:fs'

/** The maximum number of client connections of a gateway. */
export const maxConnections = 4_096
/** Other files that a gateway needs: the database, NATS, its log and its own code. */
const otherFiles = 200

/** How many files a gateway may have open at its limits; each connection is one. */
export const neededFiles = maxConnections + otherFiles

/**
 * How many connections fit into the system's limit of open files. Connections beyond that limit would be closed silently;
 * connections beyond this number are logged.
 */
export function connectionsWithin(openFiles: number): number {
  return Math.max(1, Math.min(maxConnections, openFiles - otherFiles))
}

/**
 * How many files this process may open; Node.js has raised this limit as far as the system allows. Infinity if it is not known.
 */
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
