import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { cleared } from '../cleared.ts'
import { until } from '../clock.ts'

/** A control group of Linux: the processes in it may use so much memory together, and the kernel kills one when they need more. */
export type MemoryGroup = {
  /** The file that takes the id of a process; its children follow. */
  processesFile: string
  /** How many of the processes the kernel has killed. */
  kills(): number
} & AsyncDisposable

/** The file names of the two versions of control groups. */
const versions = [
  { folder: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { folder: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
]
let count = 0

/** @returns null if this user may not create one */
export function createMemoryGroup(limitBytes: number): MemoryGroup | null {
  const version = versions.find(({ folder }) => existsSync(folder))
  const folder = join(version?.folder ?? '/nowhere', `listd-bench-${process.pid}-${count++}`)
  try {
    mkdirSync(folder)
    writeFileSync(join(folder, version?.limit ?? ''), String(limitBytes))
  } catch {
    return null
  }
  const processesFile = join(folder, 'cgroup.procs')
  return {
    processesFile,
    kills() {
      const [, count = '0'] = /^oom_kill (\d+)$/m.exec(readFileSync(join(folder, version?.events ?? ''), 'utf8')) ?? []
      return Number(count)
    },
    ...cleared(async () => {
      await until(() => readFileSync(processesFile, 'utf8') === '', { what: 'the end of what runs in the group' })
      rmdirSync(folder)
    }),
  }
}
