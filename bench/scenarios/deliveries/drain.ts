import { testBackend } from '../../../test/support/databases/database.ts'
import { ratios } from '../../../test/support/load/statistics.ts'
import { temporaryFolder } from '../../support/cleared.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { observe, observing } from '../../support/measures/observations.ts'
import { cpuSeconds } from '../../support/measures/processes.ts'
import { figure, rounded, spread } from '../../support/measures/report.ts'
import { type Program, startProgram } from '../../support/programs/program.ts'
import { pidOf } from '../../support/worlds/listd.ts'
import { type Drain, drainListd, timeDrain } from '../../support/worlds/listd-drain.ts'
import type { Backlog } from '../../support/worlds/seed.ts'
import { startWebhookWorld, type WebhookWorld, webhookCount } from '../../support/worlds/webhook-world.ts'

type Drained = { perSecond: number; cpuMicros: number; statements: number; payloadBytes: number }

type World = WebhookWorld & { bare: Program<null>; folder: string; backlog: Backlog }

/**
 * How fast waiting deliveries of 50 webhooks are sent, and the dispatcher's CPU for each, compared with a bare undici loop
 * that sends the same bytes with the same signatures to the same receiver.
 */
export async function drain({ rounds, share }: Pace): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const { path: folder } = stack.use(await temporaryFolder('observations'))
  const world = stack.use(await startWebhookWorld(observing(folder)))
  const { receiver, webhooks } = world
  const secrets = webhooks.map(({ secret }) => secret)
  const bare = stack.use(
    await startProgram<null>('bare-loop.ts', { origin: receiver.origin, ca: receiver.ca, secrets }),
  )
  const drained = { ...world, bare, folder, backlog: { waiting: [], payloadBytes: 0 } }
  const count = 10_000 * share
  const both = { subject: () => drainByListd(drained, count), yardstick: () => drainByLoop(drained, count) }
  await alternate(1, both)
  report(await alternate(rounds, both), count)
}

async function drainByListd(world: World, count: number): Promise<Drained> {
  const { listd, folder } = world
  const pid = pidOf(listd, 'webhook-dispatcher')
  const measure = async () => {
    const { statements } = await observe(pid, folder)
    const cpuBefore = cpuSeconds(pid)
    return async () => ({
      cpuMicros: ((cpuSeconds(pid) - cpuBefore) * 1e6) / count,
      statements: ((await observe(pid, folder)).statements - statements) / count,
    })
  }
  const { drain, backlog, measured } = await drainListd(world, { count, measure })
  world.backlog = backlog
  return { perSecond: perSecond(drain, count), ...measured, payloadBytes: backlog.payloadBytes }
}

/** Sends the deliveries that listd has just sent. */
async function drainByLoop({ bare, backlog, receiver }: World, count: number): Promise<Omit<Drained, 'statements'>> {
  await bare.ask({ waiting: backlog.waiting })
  const cpuBefore = cpuSeconds(bare.pid)
  const sent: Promise<unknown>[] = []
  const start = async () => void sent.push(bare.ask('send'))
  const drain = await timeDrain(receiver, { count, start })
  await Promise.all(sent)
  const cpuMicros = ((cpuSeconds(bare.pid) - cpuBefore) * 1e6) / count
  return { perSecond: perSecond(drain, count), cpuMicros, payloadBytes: backlog.payloadBytes }
}

/** From the start until the last byte of the last request has arrived. */
function perSecond({ startedAt, lastAt }: Drain, count: number): number {
  return (count / (lastAt - startedAt)) * 1_000
}

type Results = { subject: Drained[]; yardstick: Omit<Drained, 'statements'>[] }

function report({ subject, yardstick }: Results, count: number): void {
  const bytes = rounded(subject[0]?.payloadBytes ?? 0)
  figure(
    'deliveries',
    `${rounded(count)} waiting for ${webhookCount} webhooks, payloads of ${bytes} bytes, after a warm-up`,
  )
  compare('CPU each', { subject, yardstick, of: 'cpuMicros', target: '; target <= 2' })
  compare('deliveries/s', { subject, yardstick, of: 'perSecond', target: rateTargets[testBackend] })
  const statements = subject.map((drained) => drained.statements)
  figure('statements each', `${spread(statements, 3)}, BEGIN and COMMIT counted`)
}

const rateTargets = { sqlite: '; target >= 0.6', postgres: '; target >= 0.35', mysql: '' }

function compare(
  name: string,
  { subject, yardstick, of, target }: Results & { of: 'cpuMicros' | 'perSecond'; target: string },
): void {
  const [ours, bare] = [subject.map((drained) => drained[of]), yardstick.map((drained) => drained[of])]
  const unit = of === 'cpuMicros' ? 'µs' : '/s'
  figure(name, `ratio ${spread(ratios(ours, bare), 2)} to a bare undici loop${target}`)
  figure('  listd', `${spread(ours)} ${unit}`)
  figure('  bare loop', `${spread(bare)} ${unit}`)
}
