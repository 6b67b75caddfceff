import { quantile } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../clock.ts'
import { openRawConnection, type RawConnection } from './raw-connection.ts'

export type ClosedLoop = { origin: string; connections: number; seconds: number }

export type LoadResult = {
  count: number
  perSecond: number
  p50Ms: number
  p99Ms: number
  /** The client's own use of one core: near 1 the client, not the server, was the bottleneck. */
  clientShare: number
}

/** The timed work: one request, or several in a row. @returns false when the connection is done */
export type Turn = (connection: RawConnection, position: number) => Promise<boolean>

/** Lets each connection take its next turn when the one before has ended, all of them at the same time. */
export async function closedLoop({ origin, connections, seconds }: ClosedLoop, turn: Turn): Promise<LoadResult> {
  const open = await Promise.all(Array.from({ length: connections }, () => openRawConnection(origin)))
  const startedAt = monotonicMs()
  const cpuBefore = process.cpuUsage()
  const endsAt = startedAt + seconds * 1_000
  const times = await Promise.all(open.map((connection, n) => keepBusy(() => turn(connection, n), endsAt)))
  const tookMs = monotonicMs() - startedAt
  const { user, system } = process.cpuUsage(cpuBefore)
  for (const connection of open) connection.close()
  const all = times.flat()
  return {
    count: all.length,
    perSecond: (all.length / tookMs) * 1_000,
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    clientShare: (user + system) / 1_000 / tookMs,
  }
}

/** @returns the time of each turn */
async function keepBusy(turn: () => Promise<boolean>, endsAt: number): Promise<number[]> {
  const times: number[] = []
  let startedAt = monotonicMs()
  while (startedAt < endsAt && (await turn())) {
    const endedAt = monotonicMs()
    times.push(endedAt - startedAt)
    startedAt = endedAt
  }
  return times
}

let sent = 0

/** The request with `########` replaced by a number of the same length, unique in this process. */
export function numbered(request: string): string {
  return request.replaceAll('########', String(sent++).padStart(8, '0'))
}

/** @throws Error on any answer but a success: its time would mean nothing */
export function assertSuccess(status: number): void {
  if (status < 200 || status > 299) throw new Error(`a request was answered ${status}`)
}
