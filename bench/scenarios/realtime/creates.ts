import { median, quantile } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../../support/clock.ts'
import type { Pace } from '../../support/loads/pace.ts'
import { cpuSeconds } from '../../support/measures/processes.ts'
import { figure, rounded } from '../../support/measures/report.ts'
import type { BenchAccount } from '../../support/worlds/account.ts'
import { type Listd, pidOf } from '../../support/worlds/listd.ts'
import { allArrived, makeStreamedLists, openStreams, type StreamReader } from '../../support/worlds/streams.ts'

/** Creates of a stretch: fewer where each waits for a disk, so that a stretch takes a second or two. */
const creates = { most: 500, least: 50, withinMs: 1_000 }
const warmUp = 50

type World = { listd: Listd; account: BenchAccount }

/** Creates one after the other, in a list with streams and in one without, with 0, 1 and 200 streams. */
export async function costOfCreates(world: World, { rounds, share }: Pace): Promise<void> {
  await makeStreamedLists(world, { plain: false, live: true })
  const count = Math.ceil((await countOfStretch(world)) * share)
  figure('creates of a stretch', `${count}, one by one, ${rounds} rounds`)
  for (const streams of [0, 1, 200]) {
    const readers = await openStreams(world.listd.address, { token: world.account.token, count: streams })
    const [ratios, costs, delays]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const { plain, live, late } = await measureRound(world, { readers, count })
      ratios.push(live.createMs / plain.createMs)
      costs.push(((live.cpu - plain.cpu) * 1e6) / (count * Math.max(1, streams)))
      delays.push(...late)
    }
    const each = streams === 0 ? 'for a create' : 'for a frame'
    const times = [0.5, 0.99].map((part) => `p${part * 100} ${rounded(quantile(delays, part), 1)} ms`).join(', ')
    const late = streams === 0 ? '' : `; frame behind the answer: ${times}`
    figure(
      `creates one by one, ${streams} streams`,
      `${rounded(median(ratios), 2)} times one in a list without; CPU of the gateway ${each} ${rounded(median(costs), 1)} µs more${late}`,
    )
    for (const { close } of readers) close()
  }
}

async function countOfStretch(world: World): Promise<number> {
  for (const list of ['plain', 'live']) await create(world, list, warmUp)
  const startedAt = monotonicMs()
  await create(world, 'live', warmUp)
  const fitting = (creates.withinMs * warmUp) / (monotonicMs() - startedAt)
  return Math.max(creates.least, Math.min(creates.most, Math.round(fitting)))
}

type Measured = { createMs: number; cpu: number }

async function measureRound(
  world: World,
  { readers, count }: { readers: readonly StreamReader[]; count: number },
): Promise<{ plain: Measured; live: Measured; late: number[] }> {
  const pid = pidOf(world.listd, 'gateway')
  const plain = await timed(pid, () => create(world, 'plain', count))
  for (const { arrived } of readers) arrived.clear()
  let answered: number[] = []
  const createLive = async () => {
    answered = await create(world, 'live', count)
  }
  const live = await timed(pid, createLive, () => allArrived(readers, count))
  const late = readers.flatMap(({ arrived }) => answered.map((at, n) => (arrived.get(n) ?? Number.NaN) - at))
  return { plain, live, late }
}

/** @returns when each was answered */
async function create({ account }: World, list: string, count: number): Promise<number[]> {
  const answered: number[] = []
  for (let n = 0; n < count; n++) {
    await account.createItemOf(list, `{"title":"Soup","n":${n}}`)
    answered.push(monotonicMs())
  }
  return answered
}

/** @returns how long `run` took in milliseconds, and the process's CPU time in seconds until `settled` has ended too */
async function timed(
  pid: number,
  run: () => Promise<unknown>,
  settled: () => Promise<void> = async () => {},
): Promise<Measured> {
  const [startedAt, cpu] = [monotonicMs(), cpuSeconds(pid)]
  await run()
  const createMs = monotonicMs() - startedAt
  await settled()
  return { createMs, cpu: cpuSeconds(pid) - cpu }
}
