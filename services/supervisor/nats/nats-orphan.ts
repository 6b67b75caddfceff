import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { Logger } from '#shared/log/logger.ts'
import { poll } from '#shared/time/poll.ts'
import { readIfExists } from '../private-file.ts'
import { signalGroup } from '../processes/terminate.ts'
import type { NatsFiles } from './nats-files.ts'

const steps = [
  { signal: 'SIGTERM', withinMs: 5_000 },
  { signal: 'SIGKILL', withinMs: 2_000 },
] as const
const pollMs = 10

/**
 * Ends a nats-server that outlived its supervisor because its guard was killed too. The caller must hold the lock of the data
 * directory, which proves that no other supervisor uses this nats-server.
 * @throws Error with a sentence when it does not end
 */
export async function endOrphan(files: NatsFiles, log: Logger, signal: AbortSignal): Promise<void> {
  const pid = Number(await readIfExists(files.pid))
  // The pid may belong to another process now: the command line must name the configuration of this data directory.
  const isThere = async () => pid > 1 && (await commandLineOf(pid)).includes(` -c ${files.config}`)
  if (!(await isThere())) return
  log('nats_server.orphan_found', { orphan: pid })
  for (const step of steps) {
    signalGroup(pid, step.signal)
    const look = async () => ((await isThere()) ? null : 'gone')
    if (await poll(look, { everyMs: pollMs, withinMs: step.withinMs, signal })) return
  }
  throw new Error(`the previous nats-server of this data directory, process ${pid}, does not end; stop it first.`)
}

/** Program and arguments of a process, separated by spaces; empty when it has ended or they cannot be read. */
async function commandLineOf(pid: number): Promise<string> {
  try {
    // Small images have no `ps`, and macOS has no /proc.
    if (existsSync('/proc/self/cmdline')) return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ')
    return (await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).stdout
  } catch {
    return ''
  }
}
