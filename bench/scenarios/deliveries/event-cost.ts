import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { median, sum } from '../../../test/support/load/statistics.ts'
import { temporaryFolder } from '../../support/cleared.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { type Cost, type Costs, services, watchCost } from '../../support/measures/event-costs.ts'
import {
  creations,
  creationsAtListd,
  reportStretch,
  type Target,
  type Times,
  timeAlone,
  timeEvents,
} from '../../support/measures/event-times.ts'
import { observing } from '../../support/measures/observations.ts'
import { figure, print, rounded } from '../../support/measures/report.ts'
import { threadUse } from '../../support/measures/threads.ts'
import type { BareRelay } from '../../support/programs/bare-relay.ts'
import { startProgram } from '../../support/programs/program.ts'
import { pidOf } from '../../support/worlds/listd.ts'
import { untilNothingWaits } from '../../support/worlds/queues.ts'
import { startWebhookWorld, type WebhookWorld } from '../../support/worlds/webhook-world.ts'

/** Without `perSecond` the events are sent one after the other. */
type Load = { perSecond?: number; seconds: number }

/** About how many events a second fit one after the other: the receiver is polled every 20 ms. */
const alonePerSecond = 40

const loads: readonly Load[] = [
  { seconds: 10 },
  { perSecond: 1, seconds: 20 },
  { perSecond: 20, seconds: 10 },
  { perSecond: 200, seconds: 10 },
  { perSecond: 500, seconds: 6 },
]

type Run = { times: Times; costs: Costs }

/**
 * The cost of an event when too few arrive to share work: the CPU of each process by thread, and its activity, over 50 webhooks of
 * one list each. The time from response to receipt is compared with a hapi route that stores nothing.
 * @param options.profiles a folder for a CPU profile of each process while events are sent one after the other
 */
export async function eventCost(
  { rounds, share }: Pace,
  { profiles }: { profiles?: string | undefined },
): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await temporaryFolder('observations'))
  const world = stack.use(await startWebhookWorld(observing(folder)))
  const relay = stack.use(await startProgram<BareRelay>('bare-relay.ts', senderOf(world)))
  const bare = creations(world, { origin: relay.ready.origin, path: (n) => `/${n}` })
  const both = (load: Load) => ({
    subject: () => runAtListd(world, { ...load, seconds: load.seconds * share, folder }),
    async yardstick() {
      const before = sum(Object.values(threadUse([relay.pid]).cpuMicros))
      const times = await apply(world, bare, { ...load, seconds: load.seconds * share })
      return { times, cpuMicros: (sum(Object.values(threadUse([relay.pid]).cpuMicros)) - before) / times.answer.length }
    },
  })
  await alternate(1, both({ perSecond: 200, seconds: 10 }))
  for (const load of loads) {
    const { subject, yardstick } = await alternate(rounds, both(load))
    report(subject, load)
    figure('  bare relay', `CPU ${milliseconds(median(yardstick.map(({ cpuMicros }) => cpuMicros)))}`)
    const times = { subject: subject.map((run) => run.times), yardstick: yardstick.map((run) => run.times) }
    reportStretch(times, { stretch: 'fromAnswer', than: 'bare relay' })
  }
  await stack.disposeAsync()
  if (profiles !== undefined) await profile(profiles, 10 * share)
}

function senderOf({ receiver, webhooks }: WebhookWorld) {
  return { origin: receiver.origin, ca: receiver.ca, secrets: webhooks.map(({ secret }) => secret) }
}

async function runAtListd(world: WebhookWorld, { folder, ...load }: Load & { folder: string }): Promise<Run> {
  const cost = await watchCost(world.listd, folder)
  const times = await apply(world, creationsAtListd(world), load)
  await untilNothingWaits(world.listd.dataDir)
  return { times, costs: await cost.each(times.answer.length) }
}

function apply(world: WebhookWorld, target: Target, { perSecond, seconds }: Load): Promise<Times> {
  if (perSecond === undefined) return timeAlone(world, target, Math.ceil(seconds * alonePerSecond))
  return timeEvents(world, { ...target, perSecond, seconds })
}

/** Medians of the runs. */
function report(runs: readonly Run[], { perSecond }: Load): void {
  const names = Object.keys(runs[0]?.costs ?? {})
  const of = (name: string, value: (cost: Cost) => number) =>
    median(runs.map(({ costs }) => (costs[name] ? value(costs[name]) : 0)))
  const cpu = (name: string) => of(name, ({ cpuMicros }) => sum(Object.values(cpuMicros)))
  const all = median(
    runs.map(({ costs }) => sum(Object.values(costs).flatMap(({ cpuMicros }) => Object.values(cpuMicros)))),
  )
  figure(perSecond === undefined ? 'one after the other' : `${perSecond} events/s, each`, `CPU ${milliseconds(all)}`)
  for (const name of names.toSorted((one, other) => cpu(other) - cpu(one))) {
    if (cpu(name) < 10) continue
    const threads = Object.keys(runs[0]?.costs[name]?.cpuMicros ?? {})
    const parts = threads.map((thread) => ({ thread, micros: of(name, ({ cpuMicros }) => cpuMicros[thread] ?? 0) }))
    const worth = parts.filter(({ micros }) => micros >= 5).toSorted((one, other) => other.micros - one.micros)
    const byThread = worth.map(({ thread, micros }) => `${thread} ${rounded(micros / 1_000, 2)}`).join(', ')
    figure(`  ${name}`, `CPU ${milliseconds(cpu(name))} (${byThread}); ${describeWork((value) => of(name, value))}`)
  }
}

function describeWork(of: (value: (cost: Cost) => number) => number): string {
  const switches = `${rounded(
    of(({ switches }) => switches),
    1,
  )} context switches`
  const statements = of(({ observed }) => observed?.statements ?? 0)
  const allocated = of(({ observed }) => observed?.allocatedBytes ?? 0)
  if (allocated === 0) return switches
  return [
    switches,
    `${rounded(statements, 1)} statements in ${rounded(
      of(({ observed }) => observed?.trips ?? 0),
      1,
    )} ways to the database`,
    `${rounded(
      of(({ observed }) => observed?.messages ?? 0),
      1,
    )} messages`,
    `${rounded(allocated / 1_024)} KiB allocated, ${milliseconds(of(({ observed }) => observed?.gcMicros ?? 0))} collecting`,
  ].join(', ')
}

function milliseconds(micros: number): string {
  return `${rounded(micros / 1_000, 2)} ms`
}

async function profile(folder: string, seconds: number): Promise<void> {
  await using world = await startWebhookWorld(observing(folder, { profile: true }))
  await timeEvents(world, { ...creationsAtListd(world), perSecond: 200, seconds })
  await runAtListd(world, { seconds, folder })
  for (const name of services) {
    const file = join(folder, `${name}.cpuprofile`)
    await rename(join(folder, `${pidOf(world.listd, name)}.cpuprofile`), file)
    print(`  ${file}`)
  }
}
