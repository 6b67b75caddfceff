import { readdirSync, readFileSync } from 'node:fs'

export type RunningProcess = { pid: number; command: string }
/** A process and what the report calls it. */
export type BenchProcess = { name: string; pid: number }

/** A process and all its descendants, as Linux lists them now. */
export function processTree(root: number): RunningProcess[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    if (/^\d+$/.test(name)) parents.set(Number(name), Number(statOf(Number(name))[parentField]))
  }
  const descends = (pid: number): boolean => pid === root || (parents.has(pid) && descends(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(descends).map((pid) => ({ pid, command: commandOf(pid) }))
}

/** CPU time that a process has used, user and system, of all its threads; Linux counts it in hundredths of a second. */
export function cpuSeconds(pid: number): number {
  const stat = statOf(pid)
  return (Number(stat[userField]) + Number(stat[systemField])) / 100
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

/** Positions in what follows the command's name, which may hold anything, in /proc/<pid>/stat (proc(5)). */
const [parentField, userField, systemField] = [1, 11, 12]

function statOf(pid: number): string[] {
  return readOrEmpty(`/proc/${pid}/stat`)
    .replace(/^.*\) /s, '')
    .split(' ')
}

function commandOf(pid: number): string {
  return readOrEmpty(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()
}

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '' // it has just ended
  }
}
