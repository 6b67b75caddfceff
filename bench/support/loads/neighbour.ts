import { quantile } from '../../../test/support/load/statistics.ts'
import { monotonicMs } from '../clock.ts'
import { type BenchAccount, itemBody } from '../worlds/account.ts'
import type { Listd } from '../worlds/listd.ts'

/** Milliseconds of each request of an account that reads and creates items, one after the other, while something else runs. */
export type NeighbourTimes = { reads: number[]; creates: number[] }

/** Reads a list and creates an item in it, again and again, until `over`. */
export async function timeNeighbour(
  { address }: Listd,
  { account, list, over }: { account: BenchAccount; list: string; over: Promise<unknown> },
): Promise<NeighbourTimes> {
  const headers = { 'x-api-token': account.token, 'content-type': 'application/json' }
  const times: NeighbourTimes = { reads: [], creates: [] }
  let shouldContinue = true
  void over.finally(() => {
    shouldContinue = false
  })
  for (let n = 0; shouldContinue; n++) {
    times.reads.push(await timed(`${address}/lists/${list}`, { headers }))
    const body = itemBody(`${list}-${monotonicMs()}-${n}`)
    times.creates.push(await timed(`${address}/lists/${list}/items`, { method: 'POST', headers, body }))
  }
  return times
}

/** @throws Error on any answer but a success: its time would mean nothing */
async function timed(url: string, request: RequestInit): Promise<number> {
  const startedAt = monotonicMs()
  const response = await fetch(url, request)
  const text = await response.text()
  if (!response.ok) throw new Error(text)
  return monotonicMs() - startedAt
}

/** The 99th percentile of many times. */
export function p99(times: readonly number[]): number {
  return quantile(times, 0.99)
}
