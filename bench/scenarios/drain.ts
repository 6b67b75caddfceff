import { ratios } from '../../test/support/load/statistics.ts'
import { temporaryFolder } from '../support/cleared.ts'
import { monotonicMs, sleep } from '../support/clock.ts'
import { pidOf } from '../support/listd.ts'
import { observe, observing } from '../support/observations.ts'
import { alternate, type Pace } from '../support/pace.ts'
import { cpuSeconds } from '../support/processes.ts'
import { type Program, startProgram } from '../support/program.ts'
import { untilNothingWaits } from '../support/queues.ts'
import { figure, rounded, spread } from '../support/report.ts'
import { type Backlog, seedBacklog } from '../support/seed.ts'
import { startWebhookWorld, type WebhookWorld, webhookCount } from '../support/webhook-world.ts'

/** Deliveries become due this long after seeding has begun, when all of them have been written. */
const leadMs = 5_000

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
  const { listd, account, webhooks, receiver, folder } = world
  const dueAt = Date.now() + leadMs
  world.backlog = await seedBacklog(world, { count, dueAt })
  if (Date.now() > dueAt - 200) throw new Error('seeding took longer than the deliveries were to wait')
  // A ping makes the dispatcher look for what is due, and find out when the next delivery is.
  if (webhooks[0]) await account.ping(webhooks[0])
  await sleep(dueAt - Date.now() - 100)
  const pid = pidOf(listd, 'webhook-dispatcher')
  const before = await observe(pid, folder)
  await receiver.forget()
  const cpuBefore = cpuSeconds(pid)
  const { perSecond } = await timeReceipts(world, { count, start: async () => sleep(dueAt - Date.now()) })
  await untilNothingWaits(listd.dataDir)
  const cpuMicros = ((cpuSeconds(pid) - cpuBefore) * 1e6) / count
  const statements = ((await observe(pid, folder)).statements - before.statements) / count
  return { perSecond, cpuMicros, statements, payloadBytes: world.backlog.payloadBytes }
}

/** Sends the deliveries that listd has just sent. */
async function drainByLoop(world: World, count: number): Promise<Omit<Drained, 'statements'>> {
  const { bare, backlog } = world
  await bare.ask({ waiting: backlog.waiting })
  const cpuBefore = cpuSeconds(bare.pid)
  const sent: Promise<unknown>[] = []
  const start = async () => void sent.push(bare.ask('send'))
  const { perSecond } = await timeReceipts(world, { count, start })
  await Promise.all(sent)
  const cpuMicros = ((cpuSeconds(bare.pid) - cpuBefore) * 1e6) / count
  return { perSecond, cpuMicros, payloadBytes: backlog.payloadBytes }
}

/** From the start until the last byte of the last request has arrived. */
async function timeReceipts(
  { receiver }: World,
  { count, start }: { count: number; start(): Promise<void> },
): Promise<{ perSecond: number }> {
  await start()
  const startedAt = monotonicMs()
  const receipts = await receiver.take(count)
  if (receipts.length !== count) throw new Error(`${receipts.length} receipts of ${count} deliveries`)
  const endedAt = Math.max(...receipts.map(({ at }) => at))
  return { perSecond: (count / (endedAt - startedAt)) * 1_000 }
}

type Results = { subject: Drained[]; yardstick: Omit<Drained, 'statements'>[] }

function report({ subject, yardstick }: Results, count: number): void {
  const bytes = rounded(subject[0]?.payloadBytes ?? 0)
  figure(
    'deliveries',
    `${rounded(count)} waiting for ${webhookCount} webhooks, payloads of ${bytes} bytes, after a warm-up`,
  )
  compare('CPU each', subject, yardstick, 'cpuMicros')
  compare('deliveries/s', subject, yardstick, 'perSecond')
  const statements = subject.map((drained) => drained.statements)
  figure('statements each', `${spread(statements, 3)}, BEGIN and COMMIT counted`)
}

function compare(
  name: string,
  subject: Results['subject'],
  yardstick: Results['yardstick'],
  of: 'cpuMicros' | 'perSecond',
): void {
  const [ours, bare] = [subject.map((drained) => drained[of]), yardstick.map((drained) => drained[of])]
  const unit = of === 'cpuMicros' ? 'µs' : '/s'
  figure(name, `ratio ${spread(ratios(ours, bare), 2)} to a bare undici loop`)
  figure('  listd', `${spread(ours)} ${unit}`)
  figure('  bare loop', `${spread(bare)} ${unit}`)
}
