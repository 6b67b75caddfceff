import { quantile } from '../../test/support/load/statistics.ts'
import { monotonicMs } from './clock.ts'
import { openRawConnection, type RawConnection } from './raw-connection.ts'
import { runProgram } from './run-program.ts'

/** Closed-loop load: each connection sends its next request when it has read the answer to the one before. */
export type Load = {
  origin: string
  /** Complete requests, sent in turn; `########` in one is replaced by a number of the same length, unique in this process. */
  requests: readonly string[]
  connections: number
  seconds: number
  /** Requests may also be refused, and connections closed, where that is what is measured. */
  anyAnswer?: boolean
}

export type LoadResult = {
  count: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The client's own use of one core: near 1 the client, not the server, was the bottleneck. */
  clientShare: number
}

let sent = 0

runProgram(async () => ({ ready: null, answer: applyLoad }))

async function applyLoad({ origin, requests, connections, seconds, anyAnswer = false }: Load): Promise<LoadResult> {
  const open = await Promise.all(Array.from({ length: connections }, () => openRawConnection(origin)))
  const startedAt = monotonicMs()
  const cpuBefore = process.cpuUsage()
  const work = { endsAt: startedAt + seconds * 1_000, next: () => nextOf(requests), anyAnswer }
  const times = (await Promise.all(open.map((connection) => keepBusy(connection, work)))).flat()
  const tookMs = monotonicMs() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const connection of open) connection.close()
  return {
    count: times.length,
    perSecond: (times.length / tookMs) * 1_000,
    p50Ms: quantile(times, 0.5),
    p99Ms: quantile(times, 0.99),
    clientShare: (user + system) / 1_000 / tookMs,
  }
}

function nextOf(requests: readonly string[]): string {
  const number = String(sent++).padStart(8, '0')
  return (requests[sent % requests.length] ?? '').replaceAll('########', number)
}

type Work = { endsAt: number; next(): string; anyAnswer: boolean }

/** @returns the time of each request. @throws Error on any answer but a success, unless all will do: its time would mean nothing */
async function keepBusy(connection: RawConnection, work: Work): Promise<number[]> {
  const times: number[] = []
  let startedAt = monotonicMs()
  while (startedAt < work.endsAt) {
    const status = await connection.send(work.next()).catch((error) => {
      if (work.anyAnswer) return null
      throw error
    })
    if (status === null) return times
    if (!work.anyAnswer && (status < 200 || status > 299)) throw new Error(`a request was answered ${status}`)
    const endedAt = monotonicMs()
    times.push(endedAt - startedAt)
    startedAt = endedAt
  }
  return times
}
