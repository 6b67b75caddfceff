import { type EventsPage, replayPage, type StreamedEvent } from '#shared/data/realtime/read-commits.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { isBehind, type Position, type ResumeId } from '#shared/domain/realtime/position.ts'

/** An event, with what was built from it for earlier streams: the item, and the frames by view. */
export type FeedEvent = StreamedEvent & { item: Item | null; frames: Map<string, string> }

/** The next events of a stream; `to`: where it continues. */
export type FeedPage = { events: readonly FeedEvent[]; to: Position }

/**
 * The events of one account while it has open streams here: read once for all of them, in the order of commits. The newest are
 * kept in memory; a stream that is behind these reads from the database.
 */
export type AccountFeed = {
  /** The position after the last event that was read. */
  end(): Position
  /** The id of that event; null: there is none. */
  endId(): ResumeId
  /** Reads the events that were committed since; resolves when there are no more. Never rejects. */
  refresh(): Promise<void>
  /** The events after a position; null: none were read yet; `gap`: they can no longer be read. */
  after(position: Position): Promise<FeedPage | 'gap' | null>
  /** Calls `wake` when there is more, until the returned function is called. */
  watch(wake: () => void): () => void
  /** Wakes all watchers. */
  wake(): void
  /** Bytes of the events in memory. */
  bytes(): number
  /** Drops the events in memory. */
  trim(): void
}

/** Where an account's commits end, and the last event before that. */
export type FeedEnd = { position: Position; id: ResumeId }

/** The id of the last event of a page. */
export function idOf({ events }: Pick<FeedPage, 'events'> | EventsPage): ResumeId {
  const last = events.at(-1)
  return last ? { number: last.position.number, eventId: last.id } : null
}

/** The most events that a feed keeps, and their bytes. The frames of an event take these bytes again for each of its few views. */
const maxKept = { events: 1_000, bytes: 2 * 1024 * 1024 }

type FeedOptions = {
  start: FeedEnd
  /** Reads a page after a position. */
  read(after: Position): Promise<EventsPage | 'gap' | null>
  /** Reads where the last commit ends. */
  readEnd(): Promise<FeedEnd>
  /** Receives the number of events that were read as they were committed. */
  onRead(events: number): void
  /** Receives the error of a read that failed; the next sweep reads again. */
  onError(error: unknown): void
}

export function createAccountFeed({ start, read, readEnd, onRead, onError }: FeedOptions): AccountFeed {
  const watchers = new Set<() => void>()
  const kept = createKept(start.position)
  let { position: end, id: endId } = start
  let reading: Promise<void> | null = null
  let again = false

  function wake(): void {
    for (const watcher of watchers) watcher()
  }

  async function readAll(): Promise<void> {
    while (again) {
      again = false
      const page = await read(end)
      if (page === null) continue
      // The events were deleted, or belong to another history: each stream finds the gap from its own position.
      if (page === 'gap') {
        ;({ position: end, id: endId } = await readEnd())
        kept.trim(end)
      } else {
        kept.add(page)
        onRead(page.events.length)
        end = page.to
        endId = idOf(page) ?? endId
        again = true
      }
      wake()
    }
  }

  return {
    end: () => end,
    endId: () => endId,
    refresh() {
      again = true
      reading ??= readAll()
        .catch(onError)
        .finally(() => (reading = null))
      return reading
    },
    async after(position) {
      if (!isBehind(end, position)) return null
      const page = kept.after(position) ?? (await read(position))
      return page === null || page === 'gap' ? page : { to: page.to, events: page.events.map(asFeedEvent) }
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => void watchers.delete(watcher)
    },
    wake,
    bytes: kept.bytes,
    trim: () => kept.trim(end),
  }
}

function asFeedEvent(event: StreamedEvent | FeedEvent): FeedEvent {
  return 'frames' in event ? event : { ...event, item: null, frames: new Map() }
}

/** The newest events of a feed: all after `from`. */
function createKept(start: Position) {
  let events: FeedEvent[] = []
  let from = start
  let bytes = 0
  return {
    add(page: EventsPage): void {
      events.push(...page.events.map(asFeedEvent))
      bytes += page.events.reduce((sum, event) => sum + bytesOf(event), 0)
      let dropped = 0
      while (events.length - dropped > maxKept.events || bytes > maxKept.bytes) {
        const oldest = events[dropped]
        if (!oldest) break
        bytes -= bytesOf(oldest)
        from = oldest.position
        dropped++
      }
      if (dropped > 0) events = events.slice(dropped)
    },
    /** Null: the events after this position are not in memory. */
    after(position: Position): FeedPage | null {
      if (isBehind(from, position)) return null
      const first = events.findIndex((event) => isBehind(event.position, position))
      if (first < 0) return null
      const page = withinPage(events.slice(first, first + replayPage.events))
      return { events: page, to: page.at(-1)?.position ?? position }
    },
    bytes: () => bytes,
    trim(end: Position): void {
      events = []
      bytes = 0
      from = end
    },
  }
}

function withinPage(events: FeedEvent[]): FeedEvent[] {
  let sum = 0
  const end = events.findIndex((event, n) => {
    sum += event.snapshot.length
    return n > 0 && sum > replayPage.bytes
  })
  return end < 0 ? events : events.slice(0, end)
}

/** The size of an event in addition to its snapshot. */
const overhead = 1_000
const bytesOf = ({ snapshot }: StreamedEvent) => snapshot.length + overhead
