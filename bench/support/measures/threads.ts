import { readOrEmpty, threadsOf } from '../../../test/support/processes/processes.ts'

/** The usage of the threads of processes since their start. */
export type ThreadUse = {
  /** CPU time in microseconds, user and system, of all threads of a name together. */
  cpuMicros: Record<string, number>
  /** Context switches of all threads. */
  switches: number
}

/** The usage of these processes together; Linux counts the time of each thread in nanoseconds. */
export function threadUse(pids: readonly number[]): ThreadUse {
  const use: ThreadUse = { cpuMicros: {}, switches: 0 }
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      const folder = `/proc/${pid}/task/${thread}`
      const name = thread === String(pid) ? 'main' : readOrEmpty(`${folder}/comm`).trim()
      const [nanoseconds] = readOrEmpty(`${folder}/schedstat`).split(' ')
      use.cpuMicros[name] = (use.cpuMicros[name] ?? 0) + Number(nanoseconds) / 1_000
      for (const [, count] of readOrEmpty(`${folder}/status`).matchAll(/ctxt_switches:\s+(\d+)/g)) {
        use.switches += Number(count)
      }
    }
  }
  return use
}
