import { readOrEmpty } from '../../../test/support/processes/processes.ts'

/** A process and its name in the report. */
export type BenchProcess = { name: string; pid: number }

/** CPU time that a process has used, user and system, of all its threads; Linux counts it in hundredths of a second. */
export function cpuSeconds(pid: number): number {
  const stat = statOf(pid)
  return (Number(stat[userField]) + Number(stat[systemField])) / 100
}

/** CPU time of the children that a process had and that have ended, in seconds. */
export function endedChildrenSeconds(pid: number): number {
  const stat = statOf(pid)
  return (Number(stat[userField + 2]) + Number(stat[systemField + 2])) / 100
}

/** CPU that processes use from now on. @returns microseconds per request of each, by its name */
export function watchCpu(processes: readonly BenchProcess[]): { perRequest(count: number): Record<string, number> } {
  const before = processes.map(({ pid }) => cpuSeconds(pid))
  return {
    perRequest(count) {
      const used = processes.map(({ name, pid }, n) => [name, ((cpuSeconds(pid) - (before[n] ?? 0)) * 1e6) / count])
      return Object.fromEntries(used)
    },
  }
}

/** Positions in /proc/<pid>/stat (proc(5)) after the command's name, which may contain any character. */
const [userField, systemField] = [11, 12]

function statOf(pid: number): string[] {
  return readOrEmpty(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
}
