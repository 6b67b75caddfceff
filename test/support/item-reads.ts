import { Pool } from 'undici'
import type { Listd } from './listd.ts'
import { until } from './until.ts'

/** Reads an item so many times in all, over so many connections, each of which asks again when it has its answer. */
export async function readItem(
  { address, credentials }: Listd,
  { path, count, connections }: { path: string; count: number; connections: number },
): Promise<void> {
  const pool = new Pool(address, { connections, pipelining: 1, allowH2: false })
  const headers = { 'x-api-token': credentials.token }
  let begun = 0

  async function keepReading(): Promise<void> {
    while (begun++ < count) {
      const { statusCode, body } = await pool.request({ method: 'GET', path, headers })
      await body.dump()
      if (statusCode !== 200) throw new Error(`an item was answered ${statusCode}`)
    }
  }

  await Promise.all(Array.from({ length: connections }, keepReading))
  await pool.close()
}

/** How long reads of items took, as the gateway's own log says: what a busy client adds is not in it. */
export function readTimes({ logged }: Listd): { next(count: number): Promise<number[]> } {
  let seen = 0
  return {
    /** Milliseconds of the next so many, once all of them are logged. */
    async next(count) {
      const lines = () => logged('"GET","route":"/lists/{list}/items/{item}"').slice(seen, seen + count)
      await until(() => lines().length === count || lines().length, { what: `the log of ${count} reads` })
      const times = lines().map(({ durationMs }) => Number(durationMs))
      seen += count
      return times
    },
  }
}
