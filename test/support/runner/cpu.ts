import { readOrEmpty } from '../processes/processes.ts'

/** The CPU time of processes that nothing waits for, by their ids. */
const orphans = new Map<number, number>()

/**
 * CPU seconds of this test process, of all processes that it or its children have waited for, and of the recorded ones. Known on
 * Linux; 0 elsewhere.
 */
export function cpuSeconds(): number {
  return orphans.values().reduce((sum, seconds) => sum + seconds, statOf('self').seconds)
}

/** Records processes that are about to be killed together with their parent, because Linux then does not add their time to any parent. */
export function recordCpu(processes: readonly { pid: number }[]): void {
  for (const { pid } of processes) {
    const { parent, seconds } = statOf(pid)
    if (parent !== process.pid && seconds > 0) orphans.set(pid, seconds)
  }
}

/** proc(5): times are in hundredths of a second, first the process's own, then those of awaited children. */
function statOf(pid: number | 'self'): { parent: number; seconds: number } {
  const stat = readOrEmpty(`/proc/${pid}/stat`)
  const [, parent, ...rest] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const ticks = rest.slice(9, 13).reduce((sum, time) => sum + time, 0)
  return { parent: parent ?? 0, seconds: ticks / 100 }
}
