import type { CursorPage, Event } from '#client/src/main.ts'

/** Reads a page of the log, the oldest first, from a time on; an empty cursor is the first page. */
export type ReadLog = (query: { startAt?: string; after: string }) => Promise<CursorPage<Event>>

/**
 * An entry can be seen later than entries with a younger time: it has its time before its transaction ends, and from the clock of
 * its process. What is younger than this is read again, so that none is left out.
 */
const overlapMs = 10_000

/**
 * Follows a log that grows: each round gives what no round before gave.
 * @param options.newest the newest entry before the first round, by which the server's clock is told; null: there is none
 * @param options.startAt where the first round begins, in epoch milliseconds; absent: shortly before the newest entry
 * @param options.now milliseconds of a clock that is never set
 */
export function createLogFollower(
  read: ReadLog,
  options: { newest: Event | null; startAt?: number; now: () => number },
) {
  const { newest, now } = options
  const seen = new Map<string, number>()
  let ahead: number | null = null
  if (newest) noteTime(newest)
  let from = options.startAt ?? (newest ? timeOf(newest) - overlapMs : null)

  /** How far the server's clock is ahead of ours, at the least: an entry has a time that has come there. */
  function noteTime(event: Event): void {
    ahead = Math.max(ahead ?? Number.NEGATIVE_INFINITY, timeOf(event) - now())
  }

  /** What is still to come when a round begins is not older than this when it is seen. */
  function nextFrom(): number | null {
    return ahead === null ? from : Math.max(from ?? Number.NEGATIVE_INFINITY, now() + ahead - overlapMs)
  }

  /** What is new in the log, page by page. */
  async function* round(): AsyncGenerator<Event[]> {
    const query = from === null ? {} : { startAt: new Date(from).toISOString() }
    const next = nextFrom()
    let after: string | null = ''
    while (after !== null) {
      const page: CursorPage<Event> = await read({ ...query, after })
      const fresh = page.data.filter(({ id }) => !seen.has(id))
      for (const event of fresh) {
        noteTime(event)
        if (next === null || timeOf(event) >= next) seen.set(event.id, timeOf(event))
      }
      if (fresh.length > 0) yield fresh
      after = page.next
    }
    from = next
    for (const [id, time] of seen) if (from !== null && time < from) seen.delete(id)
  }

  return { round }
}

const timeOf = ({ createdAt }: Event) => Date.parse(createdAt)
