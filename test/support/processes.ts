import { readdirSync, readFileSync } from 'node:fs'

/** A process and all its descendants, as Linux lists them now. */
export function processTree(root: number): { pid: number; command: string }[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc')) {
    const stat = /^\d+$/.test(name) ? readOrEmpty(`/proc/${name}/stat`) : ''
    const parent = /\) \S (\d+)/.exec(stat)?.[1]
    if (parent) parents.set(Number(name), Number(parent))
  }
  const inTree = (pid: number): boolean => pid === root || (parents.has(pid) && inTree(parents.get(pid) ?? 0))
  return [...parents.keys()].filter(inTree).map((pid) => ({ pid, command: commandOf(pid) }))
}

/** Every process of a data directory: ours have it in their environment, nats-server and its guard in their arguments. */
export function processesOn(dataDir: string): { pid: number; command: string }[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => ({ pid: Number(name), command: commandOf(Number(name)) }))
    .filter(({ pid, command }) => command.includes(dataDir) || settingOf(pid) === dataDir)
}

/** Memory of the process that is in RAM, in MB. */
export function residentMb(pid: number): number {
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/status`))?.[1] ?? 0) / 1024
}

/** Memory that is the process's own plus its share of what it shares, in MB. */
export function proportionalMb(pid: number): number {
  const kb = /^Pss:\s+(\d+) kB/m.exec(readOrEmpty(`/proc/${pid}/smaps_rollup`))?.[1]
  return Number(kb ?? 0) / 1024
}

/** CPU seconds, user and system, that the process has used. */
export function cpuSeconds(pid: number): number {
  const fields = readOrEmpty(`/proc/${pid}/stat`).split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / 100
}

function settingOf(pid: number): string | undefined {
  return /(?:^|\0)LISTD_DATA_DIR=([^\0]*)/.exec(readOrEmpty(`/proc/${pid}/environ`))?.[1]
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
