import { readFileSync, writeFileSync } from 'node:fs'
import { sum } from '../../../test/support/load/statistics.ts'

export type ProcessMemory = {
  /** PSS in MB: memory that k processes share counts 1/k for each. */
  proportionalMb: number
  /** MB that it shares with other processes, by mapping. */
  shared: Map<string, number>
  privateMb: number
}

/** The memory of a process, from Linux's /proc/<pid>/smaps. */
export function memoryOf(pid: number): ProcessMemory {
  const memory: ProcessMemory = { proportionalMb: 0, shared: new Map(), privateMb: 0 }
  let mapping = ''
  for (const line of readFileSync(`/proc/${pid}/smaps`, 'utf8').split('\n')) {
    const [, name = '', kb = '0'] = /^(\w+): +(\d+) kB$/.exec(line) ?? []
    const mb = Number(kb) / 1_024
    if (name === 'Pss') memory.proportionalMb += mb
    else if (name.startsWith('Private_') && !name.endsWith('Hugetlb')) memory.privateMb += mb
    else if (name === 'Shared_Clean' || name === 'Shared_Dirty') {
      memory.shared.set(mapping, (memory.shared.get(mapping) ?? 0) + mb)
    } else mapping = mappedIn(line) ?? mapping
  }
  return memory
}

/** Forgets the most memory that a process has had, until now. */
export function forgetPeak(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5')
}

/** The most memory that a process has had since then, in MB. */
export function peakMb(pid: number): number {
  const [, kb = '0'] = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kb) / 1_024
}

/**
 * PSS of these processes as it would be if no other process on the machine, such as the bench, ran the same program files:
 * each shared mapping counts once, by the process that uses most of it.
 */
export function aloneMb(processes: readonly ProcessMemory[]): number {
  const shared = new Map<string, number>()
  for (const process of processes) {
    for (const [mapping, mb] of process.shared) shared.set(mapping, Math.max(shared.get(mapping) ?? 0, mb))
  }
  return sum(processes.map(({ privateMb }) => privateMb)) + sum([...shared.values()])
}

/** The file and offset in the first line of a mapping: `00400000-00452000 r-xp 00000000 08:02 173521 /usr/bin/dbus`. */
function mappedIn(line: string): string | undefined {
  const [, offset, file] = /^[0-9a-f]+-[0-9a-f]+ \S+ ([0-9a-f]+) \S+ \d+ *(.*)$/.exec(line) ?? []
  return file === undefined ? undefined : `${file} ${offset}`
}
