import type { CursorPage } from '#client/src/main.ts'

/** A row of a log, such as an event or a delivery. */
export type Logged = { id: string; createdAt: string }

/** Reads a page of the log from a given time, oldest first; an empty cursor means the first page. */
export type ReadLog<Row> = (query: { startAt?: string; after: string }) => Promise<CursorPage<Row>>

/**
 * A row can become visible after rows with a later time: its time is set before its transaction ends, and by the clock of its process.
 * Rows younger than this are read again, so that none is missed.
 */
const overlapMs = 10_000

/**
 * Follows a growing log: each round returns rows that no earlier round returned.
 * @param options.newest the newest row before the first round, which shows the server's clock; null: the log is empty
 * @param options.startAt where the first round begins, in epoch milliseconds; absent: shortly before the newest row
 * @param options.now milliseconds of a monotonic clock
 */
export function createLogFollower<Row extends Logged>(
  read: ReadLog<Row>,
  options: { newest: Row | null; startAt?: number | undefined; now: () => number },
) {
  const { newest, now } = options
  const seen = new Map<string, number>()
  let ahead: number | null = null
  if (newest) noteTime(newest)
  let from = options.startAt ?? (newest ? timeOf(newest) - overlapMs : null)

  /** The least amount by which the server's clock is ahead of ours: the time of a row is in the past there. */
  function noteTime(row: Row): void {
    ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, timeOf(row) - now())
  }

  /** Rows that become visible after the beginning of a round are not older than this. */
  function nextFrom(): number | null {
    return ahead === null ? from : Math.max(from ?? Number.NEGATIVE_INFINITY, now() + ahead - overlapMs)
  }

  /** New rows of the log, page by page. */
  async function* round(): AsyncGenerator<Row[]> {
    const query = from === null ? {} : { startAt: new Date(from).toISOString() }
    const next = nextFrom()
    let after: string | null = ''
    while (after !== null) {
      const page: CursorPage<Row> = await read({ ...query, after })
      const fresh = page.data.filter(({ id }) => !seen.has(id))
      for (const row of fresh) {
        noteTime(row)
        if (next === null || timeOf(row) >= next) seen.set(row.id, timeOf(row))
      }
      if (fresh.length > 0) yield fresh
      after = page.next
    }
    from = next
    for (const [id, time] of seen) if (from !== null && time < from) seen.delete(id)
  }

  return { round }
}

const timeOf = ({ createdAt }: Logged) => Date.parse(createdAt)
