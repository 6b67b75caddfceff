import { connectionsWithin, maxConnections, neededFiles, openFilesLimit } from '#shared/ops/open-files.ts'
import { type Check, type CheckResult, note, ok, wrong } from './check.ts'

/** Whether the limit of open files allows all connections; it is this shell's limit, and a service manager may set another one. */
export const openFiles: Check = { name: 'open files', run: async () => checkOpenFiles(openFilesLimit()) }

const leastFiles = 1_024

export function checkOpenFiles(limit: number): CheckResult {
  if (limit >= neededFiles) return ok(`enough for the ${maxConnections} connections that a gateway may have`)
  const message = `${limit}, enough for ${connectionsWithin(limit)} connections of the ${maxConnections} that a gateway may have`
  const fix = 'raise it with "ulimit -n 65536", or LimitNOFILE of the systemd unit'
  return limit < leastFiles ? wrong(message, fix) : note(message, fix)
}
