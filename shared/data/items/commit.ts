import { maxBatchOperations } from '#shared/domain/limits.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Database } from '../database.ts'
import { applyWrites } from '../drivers/apply-writes.ts'
import { type Announce, type Committed, committedOf } from '../events/committed.ts'
import { failureOf, type Unit } from './failed-unit.ts'
import type { IdempotencyKey } from './idempotency-records.ts'
import type { ItemChange } from './item-change.ts'
import { eventOf, itemWrites } from './item-writes.ts'

export type Committer = {
  /**
   * Commits a change, in one transaction with others that arrive at the same time. Resolves after the commit.
   * @param key kept with the change
   * @throws Conflict when the list or the item has changed since, or a request with the key has been made; RefusedChange: AliasTaken,
   *   or what the account's plan does not allow; SERVICE_UNAVAILABLE when the queue is full or closing
   */
  commit(change: ItemChange, key?: IdempotencyKey): Promise<void>
  /**
   * Commits the changes of a unit, all or none; several are alone in their transaction. Several changes of one item are
   * computed each from the one before. Aliases are compared as the whole unit leaves them, so two items can swap theirs. A deleted
   * item that is created again cannot be deleted by the same unit.
   * @throws as `commit`, with the index of the change in a Conflict and RefusedChange; PAYLOAD_TOO_LARGE for more than 1,000
   *   changes, or more than 32 MiB of snapshots and payloads
   */
  commitAll(unit: readonly ItemChange[], key?: IdempotencyKey): Promise<void>
  /** Changes that wait for their transaction. */
  waiting(): number
  /** Rejects new changes and waits for the queued ones. */
  close(): Promise<void>
}

/** A unit that waits for its transaction. */
type Pending = Unit & {
  bytes: number
  resolve(): void
  reject(error: unknown): void
}

const maxWaiting = 2_000
const maxWaitingBytes = 32 * 1024 * 1024
const maxGroup = 64
const maxGroupBytes = 4 * 1024 * 1024
const maxUnitBytes = 32 * 1024 * 1024

/**
 * Commits single changes that arrive together in one transaction, with few statements per table.
 * Groups of 64 make 15 times as many creates a second as one transaction for each.
 * It pauses 1 ms between two groups, in which other processes get the write lock.
 * @param options.announce called after a group's commit, before its changes are resolved
 */
export function createCommitter(db: Database, { announce }: { announce: Announce }): Committer {
  let queue: Pending[] = []
  let queued = { changes: 0, bytes: 0 }
  let closing = false
  let running: Promise<void> | null = null

  async function runQueue(): Promise<void> {
    await nextTick() // changes that arrive in this tick share the first transaction
    while (queue.length > 0) {
      const { group, rest } = takeGroup(queue)
      queue = rest
      queued = sizeOf(rest)
      await commitGroup(db, group, announce)
      if (queue.length > 0) await pause()
    }
    running = null
  }

  async function enqueue(unit: readonly ItemChange[], key?: IdempotencyKey): Promise<void> {
    const bytes = assertUnitFits(unit)
    if (closing || queued.changes + unit.length > maxWaiting || queued.bytes + bytes > maxWaitingBytes) {
      throw unavailable('too many item changes wait')
    }
    queued.changes += unit.length
    queued.bytes += bytes
    return new Promise((resolve, reject) => {
      queue.push({ unit, key, bytes, resolve, reject })
      running ??= runQueue()
    })
  }

  return {
    commit: (change, key) => enqueue([change], key),
    commitAll: async (unit, key) => {
      if (unit.length > 0) await enqueue(unit, key)
    },
    waiting: () => queued.changes,
    async close() {
      closing = true
      await running
    },
  }
}

/**
 * @returns the bytes of a unit's events and payloads
 * @throws PAYLOAD_TOO_LARGE as `Committer.commitAll` does
 */
export function assertUnitFits(unit: readonly ItemChange[]): number {
  const bytes = unit.reduce((sum, change) => sum + changeBytes(change), 0)
  if (unit.length > maxBatchOperations || bytes > maxUnitBytes) throw tooLarge()
  return bytes
}

/**
 * Commits a group, and resolves or rejects each of its units. A failed group is halved until its bad units stand alone; the
 * good ones still share transactions. When the database is unavailable the whole group fails, because smaller groups would
 * fail too.
 */
async function commitGroup(db: Database, group: readonly Pending[], announce: Announce): Promise<void> {
  try {
    announce(await writeGroup(db, group))
    for (const { resolve } of group) resolve()
  } catch (error) {
    const [only, ...others] = group
    if (error instanceof AppError) {
      for (const { reject } of group) reject(error)
    } else if (only && others.length === 0) {
      only.reject(await failureOf(db, only, error).catch((unread) => unread))
    } else {
      const middle = Math.ceil(group.length / 2)
      await commitGroup(db, group.slice(0, middle), announce)
      await commitGroup(db, group.slice(middle), announce)
    }
  }
}

/** @throws Outdated, Conflict, a unique violation */
async function writeGroup(db: Database, group: readonly Pending[]): Promise<Committed[]> {
  const changes = group.flatMap(({ unit }) => unit)
  const kept = group.flatMap(({ unit, key }) => (key ? [{ ...key, eventIds: unit.map(({ event }) => event.id) }] : []))
  const enqueued = await applyWrites(db, itemWrites(changes, kept), { subjects: changes.length })
  const requestId = changes[0]?.requestId ?? ''
  return committedOf(changes.map(eventOf), (accountId) => (enqueued.includes(accountId) ? { requestId } : null))
}

/**
 * What is committed next: a unit of several changes when it is the first in the queue, or else the longest waiting single
 * changes that fit one transaction, at most one of each item, because the second would conflict with the first.
 */
function takeGroup(queue: readonly Pending[]): { group: Pending[]; rest: Pending[] } {
  const nextUnit = queue.findIndex(({ unit }) => unit.length > 1)
  if (nextUnit === 0) return { group: queue.slice(0, 1), rest: queue.slice(1) }
  const singles = nextUnit < 0 ? queue : queue.slice(0, nextUnit) // nothing passes a unit that waits
  const group: Pending[] = []
  const rest: Pending[] = []
  const items = new Set<string | undefined>()
  let bytes = 0
  for (const pending of singles) {
    const itemId = pending.unit[0]?.itemId
    const fits = group.length < maxGroup && (bytes === 0 || bytes + pending.bytes <= maxGroupBytes)
    if (fits && !items.has(itemId)) {
      group.push(pending)
      bytes += pending.bytes
    } else {
      rest.push(pending)
    }
    items.add(itemId)
  }
  return { group, rest: [...rest, ...queue.slice(singles.length)] }
}

/** The length of a change's two long texts, which bounds the data of `after` too. */
function changeBytes({ event, payload }: ItemChange): number {
  return event.snapshot.length + payload.length
}

function sizeOf(waiting: readonly Pending[]): { changes: number; bytes: number } {
  return {
    changes: waiting.reduce((sum, { unit }) => sum + unit.length, 0),
    bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function tooLarge(): AppError {
  const message = `At most ${maxBatchOperations} changes, with 32 MiB of events and payloads, are stored together; send fewer at a time.`
  return new AppError('PAYLOAD_TOO_LARGE', { message })
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
