import type { Database } from '#shared/data/database.ts'
import { type LastCommit, readEventsAfter, readLastCommits } from '#shared/data/realtime/read-commits.ts'
import { beginning, type Position } from '#shared/domain/realtime/position.ts'
import { type AccountFeed, createAccountFeed, type FeedEnd } from './account-feed.ts'

/** The feeds of the accounts that have streams on this gateway. */
export type Hub = {
  /** The feed of an account, which is kept until `release`. */
  take(accountId: string): Promise<AccountFeed>
  release(accountId: string): void
  /** Reads the new events of an account, if it has streams here. */
  ring(accountId: string): void
  /** Checks every account with streams here for new events. It also does so at intervals: a lost message delays changes, but loses none. */
  sweepSoon(): void
  /** Events that were read as they were committed. */
  events(): number
  /** Makes every stream check its credentials again: they may have been revoked or changed. */
  recheck(): void
  /** How often `recheck` was called. */
  rechecks(): number
  close(): void
}

/** How often feeds are checked for commits that no message has announced: more often while no messages arrive. */
const sweepEveryMs = { connected: 5_000, disconnected: 1_000 } as const
/** The most accounts in one statement of a sweep. */
const accountsAtOnce = 500
/** The most bytes of the events in memory of all feeds. */
const maxKeptBytes = 64 * 1024 * 1024

type Taken = { feed: Promise<AccountFeed>; streams: number }
type Feeds = Map<string, Taken>

type HubOptions = {
  db: Database
  /** Whether messages of other gateways arrive. */
  isConnected(): boolean
  /** Receives the error of a read that failed; the read is tried again. */
  onError(error: unknown): void
}

export function createHub({ db, isConnected, onError }: HubOptions): Hub {
  const feeds: Feeds = new Map()
  let [rechecks, events] = [0, 0]
  let timer: NodeJS.Timeout | undefined
  let closed = false

  async function open(accountId: string): Promise<AccountFeed> {
    const readEnd = async () => endOf((await readLastCommits(db, [accountId])).get(accountId))
    const read = (after: Position) => readEventsAfter(db, accountId, after)
    const onRead = (count: number) => (events += count)
    return createAccountFeed({ start: await readEnd(), read, readEnd, onRead, onError })
  }

  function schedule(): void {
    if (closed) return
    const sweep = () => void sweepFeeds(db, feeds).catch(onError).finally(schedule)
    timer = setTimeout(sweep, isConnected() ? sweepEveryMs.connected : sweepEveryMs.disconnected).unref()
  }

  function release(accountId: string): void {
    const taken = feeds.get(accountId)
    if (taken && --taken.streams <= 0) feeds.delete(accountId)
  }

  schedule()
  return {
    async take(accountId) {
      const taken = feeds.get(accountId) ?? { feed: open(accountId), streams: 0 }
      feeds.set(accountId, taken)
      taken.streams++
      try {
        return await taken.feed
      } catch (error) {
        release(accountId)
        throw error
      }
    },
    release,
    ring: (accountId) => void feeds.get(accountId)?.feed.then((feed) => feed.refresh(), onError),
    sweepSoon: () => void sweepFeeds(db, feeds).catch(onError),
    events: () => events,
    recheck() {
      rechecks++
      for (const { feed } of feeds.values()) feed.then((opened) => opened.wake(), onError)
    },
    rechecks: () => rechecks,
    close() {
      closed = true
      clearTimeout(timer)
    },
  }
}

async function sweepFeeds(db: Database, feeds: Feeds): Promise<void> {
  const accounts = [...feeds.keys()]
  for (let n = 0; n < accounts.length; n += accountsAtOnce) {
    const ids = accounts.slice(n, n + accountsAtOnce)
    const lasts = await readLastCommits(db, ids)
    await Promise.all(
      ids.map(async (id) => {
        const feed = await feeds.get(id)?.feed
        const last = lasts.get(id)
        if (feed && last && last.number !== feed.end().number) await feed.refresh()
      }),
    )
  }
  await trimKept(feeds)
}

async function trimKept(feeds: Feeds): Promise<void> {
  const opened = await Promise.all(Array.from(feeds.values(), ({ feed }) => feed))
  const bytes = opened.reduce((sum, feed) => sum + feed.bytes(), 0)
  if (bytes > maxKeptBytes) for (const feed of opened) feed.trim()
}

/** The position after every event of a commit: how many it has does not matter. */
function endOf(last: LastCommit | undefined): FeedEnd {
  if (!last) return { position: beginning, id: null }
  return { position: { number: last.number, at: Number.MAX_SAFE_INTEGER }, id: last }
}
