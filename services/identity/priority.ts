import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * A tenth of the CPU that others get who want all of it. With 19, a seventieth, a flood of logins holds up the gateway
 * hardly less (its p99 1.4 to 1.8 times the quiet one; with 10 1.3 to 2.1), but beside programs that use up the CPU nobody
 * can sign in any more.
 */
const niceness = 10

/**
 * Lets the other services go first: hashing takes all the CPU it gets. On Linux a priority belongs to a thread, and those
 * that hash have been started before this runs, so each is lowered by itself.
 */
export function lowerPriority(): void {
  for (const thread of threads()) setPriority(thread, niceness)
  lowerSession()
}

/** 0 is this process, on systems that do not list their threads. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}

/**
 * Where Linux groups processes by session (sched(7), autogroup), it shares the CPU among sessions first, and the priorities
 * of threads count only within theirs. The supervisor gives each service a session of its own, which is lowered as a whole.
 * One that others have a part in, such as a shell's, is left as it is.
 */
function lowerSession(): void {
  try {
    if (sessionOf(readFileSync('/proc/self/stat', 'utf8')) === process.pid) {
      writeFileSync('/proc/self/autogroup', `${niceness}`)
    }
  } catch {
    // There are no such groups here, and the priorities of threads count.
  }
}

/** The session's id is the sixth field (proc(5)); the second, a name in brackets, may hold anything. */
function sessionOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
}
