import { type CreatesWorld, type Run, startCreatesWorld } from '../support/creates-world.ts'
import { alternate, type Pace } from '../support/pace.ts'
import { figure, print, rounded, spread } from '../support/report.ts'
import { median, ratios } from '../support/statistics.ts'
import { compareWrites } from './write-waits.ts'

const loads = [
  { connections: 16, target: 0.1 },
  { connections: 64, target: 0.18 },
] as const

const variants = [
  { hears: false, title: 'no webhook wants the events' },
  { hears: true, title: 'one webhook gets every event' },
] as const

/**
 * Creates: token check, schema, two indexes, 1 KB of data, event, payload and outbox, all processes running, against a bare
 * hapi route that takes the same requests.
 */
export async function creates(pace: Pace): Promise<void> {
  for (const { hears, title } of variants) {
    await using world = await startCreatesWorld({ hears })
    print(`  ${title}`)
    await warmUp(world, pace)
    for (const load of loads) await compare(world, load, pace)
    if (!hears) await compareWrites(world, pace)
  }
}

/** Afterwards both are compiled, and no figure has the slow first seconds in it. */
async function warmUp(world: CreatesWorld, { share }: Pace): Promise<void> {
  const load = { connections: 16, seconds: 2 * share }
  await world.create(load)
  await world.bare(load)
}

async function compare(
  world: CreatesWorld,
  { connections, target }: (typeof loads)[number],
  pace: Pace,
): Promise<void> {
  const load = { connections, seconds: 3 * pace.share }
  const { subject, yardstick } = await alternate(pace.rounds, {
    subject: () => world.create(load),
    yardstick: () => world.bare(load),
  })
  const ratio = ratios(
    subject.map(({ perSecond }) => perSecond),
    yardstick.map(({ perSecond }) => perSecond),
  )
  figure(`${connections} connections, ratio`, `${spread(ratio, 3)} of a bare hapi POST; target >= ${target}`)
  figure('  creates', describe(subject))
  figure('  bare hapi', describe(yardstick))
  figure('  CPU of creates', describeCpu(subject))
  figure('  CPU of bare hapi', describeCpu(yardstick))
}

function describe(results: readonly Run[]): string {
  const perSecond = spread(results.map((result) => result.perSecond))
  const p50 = results.map(({ p50Ms }) => p50Ms)
  const p99 = results.map(({ p99Ms }) => p99Ms)
  return `${perSecond} /s, p50 ${spread(p50, 1)} ms, p99 ${spread(p99, 1)} ms`
}

/** Where the CPU goes; the rest of two cores is the client's, the system's or idle. */
function describeCpu(results: readonly Run[]): string {
  const names = Object.keys(results[0]?.cpuMicros ?? {})
  const each = names.map((name) => ({ name, micros: median(results.map(({ cpuMicros }) => cpuMicros[name] ?? 0)) }))
  const worth = each.filter(({ micros }) => micros >= 1).toSorted((a, b) => b.micros - a.micros)
  const client = Math.max(...results.map(({ clientShare }) => clientShare))
  const list = worth.map(({ name, micros }) => `${name} ${rounded(micros)}`).join(', ')
  return `${list} µs each; the client at most ${rounded(client, 2)} of a core`
}
