import { quantile, ratios } from '../../../test/support/load/statistics.ts'
import { until } from '../../support/clock.ts'
import { applyOpenLoop, type Sent } from '../../support/loads/open-loop.ts'
import { alternate, type Pace } from '../../support/loads/pace.ts'
import { figure, print, rounded, spread } from '../../support/measures/report.ts'
import type { BenchAccount } from '../../support/worlds/account.ts'
import type { Listd } from '../../support/worlds/listd.ts'
import { makeStreamedLists, openStream, type StreamReader } from '../../support/worlds/streams.ts'

const [perSecond, runSeconds, warmUpSeconds] = [200, 10, 3]
const [listCount, streamsOfEach] = [50, 4]
const lists = Array.from({ length: listCount }, (_, n) => `streamed-${n}`)

type World = { listd: Listd; account: BenchAccount }
/** Milliseconds of each frame, from when its create was sent and from when that was answered. */
type Times = Record<'sentAt' | 'answeredAt', number[]>

/**
 * The time from a create at one gateway to its frame at another, compared with frames of the gateway that commits: 200 creates a second
 * in 50 lists, each with four streams.
 */
export async function betweenGateways(world: World, { rounds, share }: Pace): Promise<void> {
  await makeStreamedLists(world, Object.fromEntries(lists.map((list) => [list, true])))
  const other = await world.listd.startGateway()
  const measured = (seconds: number) => ({
    subject: () => timeFrames(world, { at: other, seconds }),
    yardstick: () => timeFrames(world, { at: world.listd.address, seconds }),
  })
  await alternate(1, measured(warmUpSeconds * share))
  const times = await alternate(rounds, measured(runSeconds * share))
  const runs = times.subject.map(({ sentAt }) => rounded(sentAt.length)).join(', ')
  print('  the commit comes between sending and answer, so a frame may come before the answer is read')
  figure(
    'load between gateways',
    `${perSecond} creates/s, open loop, in ${listCount} lists with ${streamsOfEach} streams each; runs of ${runs} frames`,
  )
  report(times, 'answeredAt', 'answer to frame elsewhere')
  report(times, 'sentAt', 'sent to frame elsewhere')
}

function report(
  { subject, yardstick }: { subject: Times[]; yardstick: Times[] },
  from: keyof Times,
  name: string,
): void {
  for (const [part, target] of [
    [0.5, 5],
    [0.99, 25],
  ] as const) {
    const [ours, own] = [subject, yardstick].map((runs) => runs.map((run) => quantile(run[from], part))) as [
      number[],
      number[],
    ]
    const compared = `at the gateway that commits ${spread(own, 2)} ms, ratio ${spread(ratios(ours, own), 1)}`
    figure(`${name}, p${part * 100}`, `${spread(ours, 2)} ms; ${compared}; target <= ${target} ms`)
  }
}

let created = 0

/** Opens streams at a gateway, creates at the first, and waits until every frame has arrived. */
async function timeFrames({ listd, account }: World, { at, seconds }: { at: string; seconds: number }): Promise<Times> {
  const { token } = account
  const readers = new Map<string, StreamReader[]>()
  for (const list of lists) {
    const open = () => openStream(at, { token, query: `&listIds=${list}` })
    readers.set(list, await Promise.all(Array.from({ length: streamsOfEach }, open)))
  }
  const first = created
  const listOf = (n: number) => lists[n % listCount] ?? ''
  const sent = await applyOpenLoop({
    origin: listd.address,
    perSecond,
    seconds,
    request() {
      const n = created++
      return {
        path: `/lists/${listOf(n)}/items`,
        headers: { 'x-api-token': token },
        body: `{"data":{"n":${n}}}`,
        mark: `${n}`,
      }
    },
  })
  const all = [...readers.values()].flat()
  const arrived = () => all.reduce((count, reader) => count + reader.arrived.size, 0)
  await until(() => arrived() === (created - first) * streamsOfEach, { what: 'every frame' })
  for (const { close } of all) close()
  const from = (start: 'sentAt' | 'answeredAt') =>
    sent.flatMap((one) => delays(one, start, readers.get(listOf(Number(one.mark))) ?? []))
  return { sentAt: from('sentAt'), answeredAt: from('answeredAt') }
}

function delays(one: Sent, start: 'sentAt' | 'answeredAt', readers: readonly StreamReader[]): number[] {
  return readers.map(({ arrived }) => (arrived.get(Number(one.mark)) ?? Number.NaN) - one[start])
}
