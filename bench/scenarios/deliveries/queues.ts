import { ratios } from '../../../test/support/load/statistics.ts'
import { installGraphileWorker } from '../../graphile-worker/install.ts'
import { type OtherQueue, startOtherQueue } from '../../graphile-worker/queue.ts'
import type { Preset } from '../../graphile-worker/worker.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import {
  creations,
  creationsAtListd,
  describeRuns,
  reportStretch,
  type Times,
  timeEvents,
} from '../../support/measures/event-times.ts'
import { postgresCpu } from '../../support/measures/postgres-cpu.ts'
import { cpuSeconds } from '../../support/measures/processes.ts'
import { figure, print, rounded, spread } from '../../support/measures/report.ts'
import type { BareEvent } from '../../support/programs/bare-delivery.ts'
import { pidOf } from '../../support/worlds/listd.ts'
import { type Drain, drainListd, type Measure, timeDrain } from '../../support/worlds/listd-drain.ts'
import { startWebhookWorld, type WebhookWorld, webhookCount } from '../../support/worlds/webhook-world.ts'

const perSecond = 200
const runSeconds = 10
const warmUpSeconds = 3

/** As the pages of graphile-worker recommend for many small jobs. */
const batches = { localQueue: { size: 500 }, completeJobBatchDelay: 0, failJobBatchDelay: 0 }
/** Two ways to use it: without an order, and with one job of a webhook at a time, as listd has it. */
const ways = {
  batched: { concurrentJobs: 24, maxPoolSize: 25, ...batches },
  // Once a job is done, the next of its queue waits for a poll, which by default follows after 2 s.
  named: { concurrentJobs: webhookCount, maxPoolSize: 25, pollInterval: 5, ...batches },
} satisfies Record<string, Preset>

type Way = keyof typeof ways

/** `worker`: the process that sends, listd's dispatcher or the other queue's. */
type Cpu = { worker: number; postgres: number }
type Drained = { perSecond: number; cpuMicros: Cpu }
type Others<T> = Record<Way, T>

type World = WebhookWorld & { other: OtherQueue; backlog: BareEvent[][] }

/**
 * listd compared with graphile-worker, a job queue on Postgres, one after the other on one server: the same events with the same
 * signatures, to the same receiver.
 */
export async function queues({ rounds, share }: Pace): Promise<void> {
  if (!process.env.TEST_DATABASE_URL?.startsWith('postgres:')) {
    print('  left out: graphile-worker needs Postgres (node bench/main.ts --database postgres queues)')
    return
  }
  const version = await installGraphileWorker()
  await using stack = new AsyncDisposableStack()
  const webhookWorld = stack.use(await startWebhookWorld({ LISTD_LOG_LEVEL: 'warn' }))
  const other = stack.use(await startOtherQueue(webhookWorld))
  const world: World = { ...webhookWorld, other, backlog: [] }
  describe(version)
  const drains = (count: number) =>
    both(
      () => drainByListd(world, count),
      (way) => drainByOther(world, way, count),
    )
  await alternate(1, drains(10_000 * share))
  reportDrains(await alternate(rounds, drains(10_000 * share)), 10_000 * share)
  const timed = (seconds: number) =>
    both(
      () => timeListd(world, seconds),
      (way) => timeOther(world, way, seconds),
    )
  await alternate(1, timed(warmUpSeconds * share))
  reportTimes(await alternate(rounds, timed(runSeconds * share)))
}

/** listd, then the other queue in each way. */
function both<T>(ours: () => Promise<T>, theirs: (way: Way) => Promise<T>) {
  const yardstick = async (): Promise<Others<T>> => ({ batched: await theirs('batched'), named: await theirs('named') })
  return { subject: ours, yardstick }
}

async function drainByListd(world: World, count: number): Promise<Drained> {
  const measure = measureCpu(pidOf(world.listd, 'webhook-dispatcher'), count)
  const { drain, backlog, measured } = await drainListd(world, { count, measure })
  world.backlog = backlog.waiting
  return { perSecond: rateOf(drain, count), cpuMicros: measured }
}

/** Sends the deliveries that listd has just sent. */
async function drainByOther({ other, backlog, receiver }: World, way: Way, count: number): Promise<Drained> {
  await other.add(backlog, way === 'named')
  const measured = await measureCpu(other.workerPid, count)()
  const drain = await timeDrain(receiver, { count, start: () => other.startWorker(ways[way]) })
  await other.untilNothingWaits()
  const cpuMicros = await measured()
  await other.stopWorker()
  return { perSecond: rateOf(drain, count), cpuMicros }
}

/** Without the start: one wakes up, the other connects to the database. */
function rateOf({ firstAt, lastAt }: Drain, count: number): number {
  return ((count - 1) / (lastAt - firstAt)) * 1_000
}

/** CPU for each delivery, in microseconds. */
function measureCpu(pid: number, count: number): Measure<Cpu> {
  return async () => {
    const postgres = await postgresCpu()
    const before = { worker: cpuSeconds(pid), postgres: postgres() }
    return async () => ({
      worker: ((cpuSeconds(pid) - before.worker) * 1e6) / count,
      postgres: ((postgres() - before.postgres) * 1e6) / count,
    })
  }
}

function timeListd(world: World, seconds: number): Promise<Times> {
  return timeEvents(world, { ...creationsAtListd(world), perSecond, seconds })
}

async function timeOther(world: World, way: Way, seconds: number): Promise<Times> {
  const { other } = world
  await other.startWorker(ways[way])
  const target = creations(world, { origin: other.origin, path: (n) => `/${way}/${n}` })
  const times = await timeEvents(world, { ...target, perSecond, seconds })
  await other.untilNothingWaits()
  await other.stopWorker()
  return times
}

function describe(version: string): void {
  print(
    `  graphile-worker ${version}, on the same Postgres, keeps no log of attempts, as listd does; neither logs lines`,
  )
  print(`  each sends to ${webhookCount} webhooks of one TLS receiver`)
  print(`  batched: any number of a webhook at a time; ${settingsOf('batched')}`)
  print(`  named: a queue for each webhook, so one at a time, as listd sends; ${settingsOf('named')}`)
}

function settingsOf(way: Way): string {
  return JSON.stringify(ways[way]).replaceAll('"', '').replaceAll(',', ', ').slice(1, -1)
}

function reportDrains(
  { subject, yardstick }: { subject: Drained[]; yardstick: Others<Drained>[] },
  count: number,
): void {
  const parts: [name: string, of: (drained: Drained) => number, unit: string, target: string][] = [
    ['deliveries/s', (drained) => drained.perSecond, '/s', '; target > 1'],
    ['CPU each, worker', ({ cpuMicros }) => cpuMicros.worker, 'µs', ''],
    ['CPU each, Postgres', ({ cpuMicros }) => cpuMicros.postgres, 'µs', ''],
  ]
  figure('drain', `${rounded(count)} waiting, from the first receipt to the last, after a warm-up`)
  for (const [name, of, unit, target] of parts) {
    const ours = subject.map(of)
    const theirs = (way: Way) => yardstick.map((drained) => of(drained[way]))
    const ratio = (way: Way) => `${spread(ratios(ours, theirs(way)), 2)} to ${way}`
    figure(name, `ratio ${ratio('batched')}, ${ratio('named')}${target}`)
    figure('  listd', `${spread(ours)} ${unit}`)
    for (const way of ['batched', 'named'] as const) figure(`  ${way}`, `${spread(theirs(way))} ${unit}`)
  }
}

function reportTimes({ subject, yardstick }: { subject: Times[]; yardstick: Others<Times>[] }): void {
  figure('load', `${perSecond} events/s in all, open loop; ${describeRuns(subject)}`)
  print('  an event is answered when it and its item are committed, by listd or by a hapi route with one statement')
  for (const stretch of ['fromAnswer', 'fromSend', 'answer'] as const) {
    for (const than of ['batched', 'named'] as const) {
      const targets = [stretch === 'fromAnswer' ? '; target <= 1' : '', ''] as const
      reportStretch({ subject, yardstick: yardstick.map((times) => times[than]) }, { stretch, than, targets })
    }
  }
}
