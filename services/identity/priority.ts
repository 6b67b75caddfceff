import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { setPriority } from 'node:os'

/**
 * A tenth of the CPU share of other busy processes. With 19, a seventieth, a flood of logins slows the gateway hardly less
 * (its p99 is 1.4 to 1.8 times the quiet one; with 10 it is 1.3 to 2.1), but next to programs that use all of the CPU no one
 * could sign in.
 */
const niceness = 10

/**
 * Gives the other services precedence: hashing takes all the CPU it gets. On Linux each thread has its own priority, and the
 * hashing threads have been started before this runs, so each is lowered separately.
 */
export function lowerPriority(): void {
  for (const thread of threads()) lower(thread)
  lowerSession()
}

/** A thread may have ended since it was listed. */
function lower(thread: number): void {
  try {
    setPriority(thread, niceness)
  } catch (error) {
    if ((error as { info?: { code?: string } }).info?.code !== 'ESRCH') throw error
  }
}

/** The ids of the threads; 0, this process, on systems that do not list them. */
function threads(): number[] {
  try {
    return readdirSync('/proc/self/task').map(Number)
  } catch {
    return [0]
  }
}

/**
 * Where Linux groups processes by session (sched(7), autogroup), it shares the CPU among sessions first, and the priorities
 * of threads count only within their session. The supervisor starts each service in a separate session, which is lowered as a whole.
 * A shared session, such as a shell's, is left unchanged.
 */
function lowerSession(): void {
  try {
    if (sessionOf(readFileSync('/proc/self/stat', 'utf8')) === process.pid) {
      writeFileSync('/proc/self/autogroup', `${niceness}`)
    }
  } catch {
    // This system has no such groups, so the threads' priorities count.
  }
}

/** The session's id is the sixth field (proc(5)); the second, a name in brackets, may hold anything. */
function sessionOf(stat: string): number {
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[3])
}
