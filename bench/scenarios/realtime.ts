import { once } from 'node:events'
import { type ClientRequest, type IncomingMessage, request } from 'node:http'
import { createApi } from '../../test/support/http/api.ts'
import { median, quantile } from '../../test/support/load/statistics.ts'
import { monotonicMs, until } from '../support/clock.ts'
import type { Pace } from '../support/loads/pace.ts'
import { memoryOf } from '../support/measures/memory.ts'
import { cpuSeconds } from '../support/measures/processes.ts'
import { figure, rounded } from '../support/measures/report.ts'
import { makeAccount } from '../support/worlds/account.ts'
import { type Listd, startListd } from '../support/worlds/listd.ts'

const idleStreams = 2_000
const creates = 500

/** An open stream; `times`: when each change arrived, in monotonic milliseconds. */
type Reader = { asked: ClientRequest; times: number[] }

/**
 * Memory of an idle stream; what a create pays in a list with streams, compared with one in a list without realtime; and a frame's time and
 * processor time, on one gateway.
 */
export async function realtime({ rounds, share }: Pace): Promise<void> {
  await using listd = await startListd({ LISTD_REALTIME_PER_ADDRESS: String(idleStreams) })
  const account = await makeAccount(listd)
  const user = createApi(() => listd.address, { authorization: `Bearer ${account.session}` })
  for (const [pathName, isRealtime] of [
    ['plain', false],
    ['live', true],
  ] as const) {
    const { status, text } = await user('POST', '/lists', { body: { name: pathName, pathName, realtime: isRealtime } })
    if (status >= 300) throw new Error(text)
  }
  const gateway = listd.processes().find(({ name }) => name === 'gateway')?.pid ?? 0
  const create = (list: string) => account.createItemOf(list, '{"title":"Soup","serves":4}')
  for (const list of ['plain', 'live']) await inTurn(Math.ceil(creates * share), () => create(list))
  for (const streams of [0, 1, 200]) {
    const readers = await openStreams(listd, account.token, streams)
    const [ratios, costs, delays]: [number[], number[], number[]] = [[], [], []]
    for (let round = 0; round < rounds; round++) {
      const count = Math.ceil(creates * share)
      const plain = await timed(gateway, () => inTurn(count, () => create('plain')))
      for (const reader of readers) reader.times.length = 0
      const answered: number[] = []
      const createLive = async () => {
        await create('live')
        answered.push(monotonicMs())
      }
      const live = await timed(gateway, () => inTurn(count, createLive), allArrived(readers, count))
      ratios.push(live.createMs / plain.createMs)
      costs.push(((live.cpu - plain.cpu) * 1e6) / (count * Math.max(1, streams)))
      for (const { times } of readers) delays.push(...times.map((at, n) => at - (answered[n] ?? 0)))
    }
    const each = streams === 0 ? 'for a create' : 'for a frame'
    const late =
      delays.length > 0
        ? `; frame behind the answer: p50 ${rounded(quantile(delays, 0.5), 1)} ms, p99 ${rounded(quantile(delays, 0.99), 1)} ms`
        : ''
    figure(
      `creates one by one, ${streams} streams`,
      `${rounded(median(ratios), 2)} times one in a list without; CPU of the gateway ${each} ${rounded(median(costs), 1)} µs more${late}`,
    )
    for (const { asked } of readers) asked.destroy()
  }
  const before = memoryOf(gateway).privateMb
  const readers = await openStreams(listd, account.token, idleStreams)
  figure(
    `${idleStreams} idle streams`,
    `${rounded(((memoryOf(gateway).privateMb - before) * 1024) / idleStreams, 1)} KiB each of private memory, garbage included`,
  )
  for (const { asked } of readers) asked.destroy()
}

async function inTurn(count: number, run: () => Promise<unknown>): Promise<void> {
  for (let n = 0; n < count; n++) await run()
}

function allArrived(readers: readonly Reader[], count: number): () => Promise<void> {
  return () => until(() => readers.every(({ times }) => times.length === count), { what: 'every frame' })
}

/** @returns how long it took, and the processor time of a process, in seconds, until what follows from it has happened too */
async function timed(
  pid: number,
  run: () => Promise<void>,
  settled: () => Promise<void> = async () => {},
): Promise<{ createMs: number; cpu: number }> {
  const [startedAt, cpu] = [monotonicMs(), cpuSeconds(pid)]
  await run()
  const createMs = monotonicMs() - startedAt
  await settled()
  return { createMs, cpu: cpuSeconds(pid) - cpu }
}

async function openStreams({ address }: Listd, token: string, count: number): Promise<Reader[]> {
  const readers: Reader[] = []
  for (let n = 0; n < count; n++) {
    const asked = request(`${address}/realtime?eventTypes=item-created`, {
      headers: { 'x-api-token': token },
      agent: false,
    })
    asked.on('error', () => {}).end()
    const [response] = (await once(asked, 'response')) as [IncomingMessage]
    if (response.statusCode !== 200) throw new Error(`a stream is answered ${response.statusCode}`)
    const times: number[] = []
    response.setEncoding('utf8').on('error', () => {})
    response.on('data', (text: string) => {
      for (let at = text.indexOf('event: item-created'); at >= 0; at = text.indexOf('event: item-created', at + 1))
        times.push(monotonicMs())
    })
    readers.push({ asked, times })
  }
  return readers
}
