import type { CursorPage } from '#client/src/main.ts'

/** A row of a log, such as an event or a delivery. */
export type Logged = { id: string; createdAt: string }

/** Reads a page of the log, the oldest first, from a time on; an empty cursor is the first page. */
export type ReadLog<Row> = (query: { startAt?: string; after: string }) => Promise<CursorPage<Row>>

/**
 * A row can be seen later than rows with a younger time: it has its time before its transaction ends, and from the clock of its
 * process. What is younger than this is read again, so that none is left out.
 */
const overlapMs = 10_000

/**
 * Follows a log that grows: each round gives what no round before gave.
 * @param options.newest the newest row before the first round, by which the server's clock is known; null: there is none
 * @param options.startAt where the first round begins, in epoch milliseconds; absent: shortly before the newest row
 * @param options.now milliseconds of a clock that is never set
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

  /** How far the server's clock is ahead of ours, at the least: a row has a time that has come there. */
  function noteTime(row: Row): void {
    ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, timeOf(row) - now())
  }

  /** What is still to come when a round begins is not older than this when it is seen. */
  function nextFrom(): number | null {
    return ahead === null ? from : Math.max(from ?? Number.NEGATIVE_INFINITY, now() + ahead - overlapMs)
  }

  /** What is new in the log, page by page. */
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
