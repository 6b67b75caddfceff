import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { succeedsWithin } from '#shared/time/time-limit.ts'

/**
 * Resolves with how a process ended, once it has and its pipes are drained: `code 1`, `signal SIGKILL`, or why it could
 * not be started. Must be called right after the start.
 */
export async function waitForExit(child: ChildProcess): Promise<string> {
  try {
    await once(child, 'close')
  } catch (error) {
    return String(error)
  }
  return child.signalCode ? `signal ${child.signalCode}` : `code ${child.exitCode}`
}

/** `stuck`: it was killed and still exists, for example because it waits for a dead disk. */
export type Ending = 'on its own' | 'killed' | 'stuck'

/**
 * Asks a process to end, waits until `ended` resolves, and kills it if that takes longer than `withinMs`.
 * @param options.killedWithinMs how long to wait for the end of a killed process
 */
export async function terminate(
  ended: Promise<unknown>,
  options: { withinMs: number; killedWithinMs?: number; ask(): void; kill(): void },
): Promise<Ending> {
  const { withinMs, killedWithinMs = 5_000, ask, kill } = options
  ask()
  if (await succeedsWithin(ended, withinMs)) return 'on its own'
  kill()
  return (await succeedsWithin(ended, killedWithinMs)) ? 'killed' : 'stuck'
}

/** Sends a signal to a process group by the pid of its leader, which may have ended or never have started. */
export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return
  try {
    process.kill(-pid, signal)
  } catch {
    // It has already ended.
  }
}
