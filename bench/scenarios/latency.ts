import { itemBody } from '../support/account.ts'
import type { BareRelay } from '../support/bare-relay.ts'
import { applyOpenLoop, type OpenLoop, type Sent } from '../support/open-loop.ts'
import { alternate, type Pace } from '../support/pace.ts'
import { type Program, startProgram } from '../support/program.ts'
import type { Receipt } from '../support/receiver.ts'
import { figure, print, rounded, spread } from '../support/report.ts'
import { quantile, ratios } from '../support/statistics.ts'
import { startWebhookWorld, type WebhookWorld, webhookCount } from '../support/webhook-world.ts'

const perSecond = 200
const runSeconds = 10
const warmUpSeconds = 3

/** Milliseconds of each event, sorted by nothing. */
type Times = Record<keyof typeof stretches, number[]>

/** The commit lies between the sending of the request and its answer, so its latency lies between the first two. */
const stretches = {
  fromAnswer: 'answer to receipt',
  fromSend: 'request sent to receipt',
  answer: 'request sent to answer',
} as const

/**
 * From a create to its event at the receiver, 200 a second in all over 50 webhooks of a list each, against a hapi route that
 * sends the body on by itself with nothing kept.
 */
export async function latency({ rounds, share }: Pace): Promise<void> {
  await using world = await startWebhookWorld()
  const { receiver, webhooks } = world
  const secrets = webhooks.map(({ secret }) => secret)
  const options = { origin: receiver.origin, ca: receiver.ca, secrets }
  await using relay = await startProgram<BareRelay>('bare-relay.ts', options)
  const targets = both(world, relay)
  const measured = (seconds: number) => ({
    subject: () => measure(world, { ...targets.subject, perSecond, seconds }),
    yardstick: () => measure(world, { ...targets.yardstick, perSecond, seconds }),
  })
  await alternate(1, measured(warmUpSeconds * share))
  const { subject, yardstick } = await alternate(rounds, measured(runSeconds * share))
  print(
    '  one clock; a request is sent when undici gets it, answered when its answer is read, received when the receiver',
  )
  print('  has read its last byte; the commit comes between sending and answer')
  figure('load', `${perSecond} events/s in all, open loop, over ${webhookCount} webhooks; ${describeRuns(subject)}`)
  for (const stretch of ['fromAnswer', 'fromSend', 'answer'] as const) report(stretch, subject, yardstick)
}

type Target = Pick<OpenLoop, 'origin' | 'request'>

function both(world: WebhookWorld, relay: Program<BareRelay>): { subject: Target; yardstick: Target } {
  const { listd, lists, account } = world
  const headers = { 'x-api-token': account.token }
  let made = 0
  const requestTo = (path: (webhook: number) => string) => (n: number) => {
    const mark = `latency-${made++}`
    return { path: path(n % webhookCount), headers, body: itemBody(mark), mark }
  }
  return {
    subject: { origin: listd.address, request: requestTo((n) => `/lists/${lists[n]?.pathName}/items`) },
    yardstick: { origin: relay.ready.origin, request: requestTo((n) => `/${n}`) },
  }
}

async function measure({ receiver }: WebhookWorld, load: OpenLoop): Promise<Times> {
  const sent = await applyOpenLoop(load)
  return timesOf(sent, await receiver.take(sent.length))
}

/** @throws Error unless each event came exactly once */
function timesOf(sent: readonly Sent[], receipts: readonly Receipt[]): Times {
  const receivedAt = new Map(receipts.map(({ mark, at }) => [mark, at]))
  if (receivedAt.size !== sent.length || receipts.length !== sent.length) {
    throw new Error(`${sent.length} events, ${receipts.length} receipts of ${receivedAt.size} events`)
  }
  const from = (start: 'sentAt' | 'answeredAt') =>
    sent.map((one) => (receivedAt.get(one.mark) ?? Number.NaN) - one[start])
  return {
    fromAnswer: from('answeredAt'),
    fromSend: from('sentAt'),
    answer: sent.map(({ sentAt, answeredAt }) => answeredAt - sentAt),
  }
}

function describeRuns(runs: readonly Times[]): string {
  return `${runs.length} runs of ${runs.map(({ answer }) => rounded(answer.length)).join(', ')} events`
}

function report(stretch: keyof Times, subject: readonly Times[], yardstick: readonly Times[]): void {
  const target = stretch === 'answer' ? ['', ''] : ['; target <= 2', '; target <= 10']
  for (const [n, share] of [0.5, 0.99].entries()) {
    const ours = subject.map((run) => quantile(run[stretch], share))
    const bare = yardstick.map((run) => quantile(run[stretch], share))
    const compared = `bare relay ${spread(bare, 2)} ms, ratio ${spread(ratios(ours, bare), 1)}`
    figure(`${stretches[stretch]}, p${share * 100}`, `${spread(ours, 2)} ms${target[n]}; ${compared}`)
  }
}
