import { sum } from '../../../test/support/load/statistics.ts'
import { processTree } from '../../../test/support/processes/processes.ts'
import { monotonicMs } from '../clock.ts'
import { isDatabaseServer, watchUse } from '../measures/event-costs.ts'
import { cpuSeconds, endedChildrenSeconds } from '../measures/processes.ts'
import type { Listd } from '../worlds/listd.ts'
import type { Answer } from './calls.ts'
import type { GrownAccount } from './grown-account.ts'
import type { Operation } from './operations.ts'

/** Microseconds of CPU of one call, or of one row of a job. */
export type Cpu = { service: number; database: number }
/** `marks`: the marks of incomplete answers, such as QUESTION_TOO_BROAD. */
export type Measured = { cpu: Cpu; marks: readonly string[] }

export type Budget = { least: number; most: number; ms: number }

type Run = { operation: Operation; budget: Budget }

/**
 * Repeats a call for a while, one after the other, on a service that does nothing else. If a database thread ends, its CPU time is
 * lost, and the measurement is repeated.
 */
export async function measure(listd: Listd, account: GrownAccount, run: Run): Promise<Measured> {
  const measured = await measureOnce(listd, account, run)
  return measured.cpu.database < 0 ? measureOnce(listd, account, run) : measured
}

async function measureOnce(
  listd: Listd,
  account: GrownAccount,
  { operation, budget: { least, most, ms } }: Run,
): Promise<Measured> {
  const marks = new Set<string>()
  const cpu = watchServiceCpu(listd, 'gateway')
  const endsAt = monotonicMs() + ms
  let count = 0
  while (count < least || (count < (operation.most ?? most) && monotonicMs() < endsAt)) {
    const mark = markOf(await account.call(operation.call(account, count++)))
    if (mark !== null) marks.add(mark)
  }
  return { cpu: cpu.each(count), marks: [...marks] }
}

/** The CPU of a process of listd and of the database's, which with SQLite is part of the process. */
export function watchServiceCpu(listd: Listd, service: string): { each(count: number): Cpu } {
  const use = watchUse(listd)
  return {
    each(count) {
      const uses = use.each(count)
      const cpuOf = (name: string) => sum(Object.values(uses[name]?.cpuMicros ?? {}))
      return { service: cpuOf(service), database: cpuOf('database') }
    },
  }
}

/**
 * The same over minutes, with a resolution of a hundredth of a second. It includes database processes and threads that have ended in
 * between, because a server's connections come and go.
 */
export function watchJobCpu(listd: Listd, service: string): { each(count: number): Cpu } {
  const use = watchServiceCpu(listd, service)
  const before = databaseSeconds()
  return {
    each: (count) => ({
      service: use.each(count).service,
      database: ((databaseSeconds() - before) * 1e6) / count,
    }),
  }
}

function databaseSeconds(): number {
  const servers = processTree(process.pid).filter(({ command }) => isDatabaseServer(command))
  return sum(servers.map(({ pid }) => cpuSeconds(pid) + endedChildrenSeconds(pid)))
}

/** An error's name; `short` for a page that ends before its limit and continues after that. */
function markOf({ status, body }: Answer): string | null {
  if (status > 299) return body.name ?? String(status)
  const { data, next, limit = 20 } = body
  return data !== undefined && typeof next === 'string' && data.length < limit ? 'short' : null
}
