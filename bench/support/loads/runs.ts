import { median, ratios } from '../../../test/support/load/statistics.ts'
import { type BenchProcess, watchCpu } from '../measures/processes.ts'
import { figure, rounded, spread } from '../measures/report.ts'
import type { ItemLoad } from '../programs/item-load.ts'
import type { Load } from '../programs/load.ts'
import type { Program } from '../programs/program.ts'
import type { LoadResult } from './closed-loop.ts'
import type { Pace } from './pace.ts'

export type Connections = Pick<Load, 'connections' | 'seconds'>
/** `cpuMicros`: CPU time per request of each process by its name. */
export type Run = LoadResult & { cpuMicros: Record<string, number> }

/** Lets the client load a server, and measures the CPU of the server's processes. */
export async function runLoad(
  client: Program<null>,
  load: Load | ItemLoad,
  processes: readonly BenchProcess[],
): Promise<Run> {
  const cpu = watchCpu(processes)
  const result = await client.ask<LoadResult>(load)
  return { ...result, cpuMicros: cpu.perRequest(result.count) }
}

/** The first 5,000 creates take the gateway half as much CPU again as those after 15,000. */
const warmRequests = 15_000

/** Lets V8 compile the server's code. It counts requests, not time, because a slower server needs more time. */
export async function warmUp(run: (load: Connections) => Promise<Run>, { share }: Pace): Promise<void> {
  let sent = 0
  for (let runs = 0; runs < 10 && sent < warmRequests * share; runs++) {
    sent += (await run({ connections: 64, seconds: 2 * share })).count
  }
}

export type Comparison = { subject: readonly Run[]; yardstick: readonly Run[] }

/**
 * Prints how many requests subject and yardstick answer, and the CPU that each needs.
 * @param options.title describes the load
 * @param options.of the yardstick, as the end of the ratio's text
 */
export function reportRuns(
  { subject, yardstick }: Comparison,
  options: { title: string; names: readonly [subject: string, yardstick: string]; of: string },
): void {
  const { title, names, of } = options
  const ratio = ratios(
    subject.map(({ perSecond }) => perSecond),
    yardstick.map(({ perSecond }) => perSecond),
  )
  figure(`${title}, ratio`, `${spread(ratio, 3)} of ${of}`)
  figure(`  ${names[0]}`, describeRuns(subject))
  figure(`  ${names[1]}`, describeRuns(yardstick))
  figure(`  CPU of ${names[0]}`, describeCpu(subject))
  figure(`  CPU of ${names[1]}`, describeCpu(yardstick))
}

/** Requests a second and their times. */
export function describeRuns(results: readonly LoadResult[]): string {
  const perSecond = results.map((result) => result.perSecond)
  const p50 = results.map(({ p50Ms }) => p50Ms)
  const p99 = results.map(({ p99Ms }) => p99Ms)
  return `${spread(perSecond, median(perSecond) < 100 ? 1 : 0)} /s, p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms`
}

/** The CPU of each process; the rest of two cores is the client's, the system's or idle. */
export function describeCpu(results: readonly Run[]): string {
  const names = Object.keys(results[0]?.cpuMicros ?? {})
  const each = names.map((name) => ({ name, micros: median(results.map(({ cpuMicros }) => cpuMicros[name] ?? 0)) }))
  const worth = each.filter(({ micros }) => micros >= 1).toSorted((a, b) => b.micros - a.micros)
  const client = Math.max(...results.map(({ clientShare }) => clientShare))
  const list = worth.map(({ name, micros }) => `${name} ${rounded(micros)}`).join(', ')
  return `${list} µs each; the client at most ${rounded(client, 2)} of a core`
}
