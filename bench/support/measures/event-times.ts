import { Client } from 'undici'
import { quantile, ratios } from '../../../test/support/load/statistics.ts'
import { applyOpenLoop, type OpenLoop, type Sent, send } from '../loads/open-loop.ts'
import { itemBody } from '../worlds/account.ts'
import type { Receipt } from '../worlds/receiver.ts'
import { type WebhookWorld, webhookCount } from '../worlds/webhook-world.ts'
import { figure, rounded, spread } from './report.ts'

/** Milliseconds of each event, unsorted. */
export type Times = Record<keyof typeof stretches, number[]>

/** The commit happens between the request and its answer, so the latency from the commit is between the first two. */
export const stretches = {
  fromAnswer: 'answer to receipt',
  fromSend: 'request sent to receipt',
  answer: 'request sent to answer',
} as const

export type Target = Pick<OpenLoop, 'origin' | 'request'>

let count = 0

/** Requests that each create an item with a unique mark, in every webhook's list in rotation. */
export function creations({ account }: WebhookWorld, to: { origin: string; path(webhook: number): string }): Target {
  const headers = { 'x-api-token': account.token }
  return {
    origin: to.origin,
    request(n) {
      const mark = `event-${count++}`
      return { path: to.path(n % webhookCount), headers, body: itemBody(mark), mark }
    },
  }
}

/** Creates at the world's listd. */
export function creationsAtListd(world: WebhookWorld): Target {
  const path = (n: number) => `/lists/${world.lists[n]?.pathName}/items`
  return creations(world, { origin: world.listd.address, path })
}

/** Applies the load and waits until every event has arrived. @throws Error unless each arrived exactly once */
export async function timeEvents({ receiver }: WebhookWorld, load: OpenLoop): Promise<Times> {
  const sent = await applyOpenLoop(load)
  return timesOf(sent, await receiver.take(sent.length))
}

/**
 * Sends `count` requests one after the other, each when the event of the previous one has arrived: no event shares work with
 * another, however slow the machine is.
 */
export async function timeAlone({ receiver }: WebhookWorld, to: Target, count: number): Promise<Times> {
  const client = new Client(to.origin, { allowH2: false })
  const times: Times = { fromAnswer: [], fromSend: [], answer: [] }
  for (let n = 0; n < count; n++) {
    const one = timesOf([await send(client, to.request(n))], await receiver.take(1))
    for (const stretch of Object.keys(times) as (keyof Times)[]) times[stretch].push(...one[stretch])
  }
  await client.close()
  return times
}

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

export function describeRuns(runs: readonly Times[]): string {
  return `${runs.length} runs of ${runs.map(({ answer }) => rounded(answer.length)).join(', ')} events`
}

/** Prints p50 and p99 of one stretch. @param options.targets text after each ratio; @param options.than name of the yardstick */
export function reportStretch(
  { subject, yardstick }: { subject: readonly Times[]; yardstick: readonly Times[] },
  { stretch, than, targets = ['', ''] }: { stretch: keyof Times; than: string; targets?: readonly [string, string] },
): void {
  for (const [n, share] of [0.5, 0.99].entries()) {
    const ours = subject.map((run) => quantile(run[stretch], share))
    const other = yardstick.map((run) => quantile(run[stretch], share))
    const compared = `${than} ${spread(other, 2)} ms, ratio ${spread(ratios(ours, other), 1)}${targets[n]}`
    figure(`${stretches[stretch]}, p${share * 100}`, `${spread(ours, 2)} ms; ${compared}`)
  }
}
