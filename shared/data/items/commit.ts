import { AppError } from '#shared/errors.ts'
import type { Database } from '../database.ts'
import { conflictOf, groupRows, writeGroup } from './commit-group.ts'
import type { CommitOutcome, ItemChange } from './item-change.ts'

export type CommittedGroup = { eventIds: string[]; requestId: string }

export type Committer = {
  /** Answers after the commit. @throws SERVICE_UNAVAILABLE when the queue is full or closing */
  commit(change: ItemChange): Promise<CommitOutcome>
  /** Changes that wait for their transaction. */
  waiting(): number
  /** Refuses new changes and waits for those it has. */
  close(): Promise<void>
}

type Pending = {
  change: ItemChange
  bytes: number
  resolve(outcome: CommitOutcome): void
  reject(error: unknown): void
}

const maxWaiting = 2_000
const maxWaitingBytes = 32 * 1024 * 1024
const maxGroup = 64
const maxGroupBytes = 4 * 1024 * 1024

/**
 * Groups changes that arrive together into one transaction with few statements per table.
 * Measured: 64 creates in one group 38,000/s against 3,400/s with a savepoint each, and 2,500/s one by one.
 * Between two groups it leaves 1 ms, in which other processes get the write lock.
 * @param options.onCommitted told the events of a group that have an outbox row, after their commit
 */
export function createCommitter(db: Database, options: { onCommitted(group: CommittedGroup): void }): Committer {
  let queue: Pending[] = []
  let queuedBytes = 0
  let closing = false
  let running: Promise<void> | null = null

  async function drain(): Promise<void> {
    await nextTick() // what arrives in this tick shares the first transaction
    while (queue.length > 0) {
      const { group, rest } = takeGroup(queue)
      queue = rest
      queuedBytes -= bytesOf(group)
      await settle(group)
      if (queue.length > 0) await pause()
    }
    running = null
  }

  async function settle(group: Pending[]): Promise<void> {
    try {
      const rows = groupRows(group.map(({ change }) => change))
      const result = await db.transaction((tx) => writeGroup(tx, rows))
      const [first] = group
      if (first && result.eventIds.length > 0) {
        options.onCommitted({ eventIds: result.eventIds, requestId: first.change.requestId })
      }
      for (const { resolve } of group) resolve('committed')
    } catch (error) {
      await settleFailure(group, error)
    }
  }

  /**
   * A group that failed is halved until its bad members stand alone; the good ones still share transactions. When the
   * database is unavailable, no smaller group would fare better.
   */
  async function settleFailure(group: Pending[], error: unknown): Promise<void> {
    const [only, ...others] = group
    if (error instanceof AppError) {
      for (const { reject } of group) reject(error)
    } else if (only && others.length === 0) {
      const outcome = conflictOf(error)
      if (outcome) only.resolve(outcome)
      else only.reject(error)
    } else {
      const middle = Math.ceil(group.length / 2)
      await settle(group.slice(0, middle))
      await settle(group.slice(middle))
    }
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
        running ??= drain()
      })
    },
    waiting: () => queue.length,
    async close() {
      closing = true
      await running
    },
  }
}

/** The longest-waiting changes that fit one transaction, at most one of each item: a second one was computed from the first. */
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

/** What a change holds in memory while it waits, near enough: its three long texts. */
function changeBytes({ after, event, payload }: ItemChange): number {
  return (after?.size ?? 0) + event.snapshot.length + payload.length
}

function bytesOf(group: readonly Pending[]): number {
  return group.reduce((sum, { bytes }) => sum + bytes, 0)
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
