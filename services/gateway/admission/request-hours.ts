import type { HourRequests } from '#shared/data/accounts/request-hours.ts'
import { hourMs } from '#shared/domain/hours.ts'

/** Counts the requests of accounts by hour. No request waits for it: the counts are stored periodically. */
export type RequestHours = {
  /** Counts a request of an account. */
  count(accountId: string): void
  /** Stores the remaining counts, and stops. */
  close(): Promise<void>
}

/** How often counts are stored; a killed gateway loses its unstored counts. */
const settleMs = 10_000

type HoursOptions = {
  /** Epoch milliseconds. */
  now(): number
  store(rows: readonly HourRequests[]): Promise<void>
  onError(error: unknown): void
}

export function createRequestHours({ now, store, onError }: HoursOptions): RequestHours {
  // Counts by account: at most one for each account.
  let hour = 0
  let counts = new Map<string, number>()
  let waiting: HourRequests[] = []

  /** Adds new counts to those that wait to be stored. */
  function turn(): void {
    for (const [accountId, requests] of counts) waiting.push({ accountId, hour, requests })
    counts = new Map()
  }

  async function settle(): Promise<void> {
    turn()
    const rows = waiting
    waiting = []
    if (rows.length === 0) return
    try {
      await store(joined(rows))
    } catch (error) {
      waiting = joined([...rows, ...waiting])
      onError(error)
    }
  }

  const timer = setInterval(settle, settleMs).unref()
  return {
    count(accountId) {
      const at = now()
      if (at - hour >= hourMs || at < hour) {
        turn()
        hour = at - (at % hourMs)
      }
      counts.set(accountId, (counts.get(accountId) ?? 0) + 1)
    },
    async close() {
      clearInterval(timer)
      await settle()
    },
  }
}

/** One row for each account and hour. */
function joined(rows: readonly HourRequests[]): HourRequests[] {
  const sums = new Map<string, HourRequests>()
  for (const row of rows) {
    const key = `${row.accountId} ${row.hour}`
    const { requests } = sums.get(key) ?? { requests: 0 }
    sums.set(key, { ...row, requests: requests + row.requests })
  }
  return [...sums.values()]
}
