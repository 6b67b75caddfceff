import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'

/** How a process ended, once it has and its pipes are drained: `code 1` or `signal SIGKILL`. Ask right after the start. */
export async function endOf(child: ChildProcess): Promise<string> {
  await once(child, 'close')
  return child.signalCode ? `signal ${child.signalCode}` : `code ${child.exitCode}`
}

/** Asks, waits, and kills when that takes longer than `withinMs`; settles when `ended` does. @returns whether it killed */
export async function endWithin(
  ended: Promise<unknown>,
  options: { withinMs: number; ask(): void; kill(): void },
): Promise<boolean> {
  const timer = new AbortController()
  options.ask()
  const late = delay(options.withinMs, true, { signal: timer.signal }).catch(() => false)
  const isLate = (await Promise.race([ended, late])) === true
  if (isLate) options.kill()
  timer.abort()
  await ended
  return isLate
}
