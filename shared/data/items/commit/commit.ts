import { maxBatchOperations } from '#shared/domain/limits.ts'
import { AppError, unavailable } from '#shared/errors.ts'
import type { Database } from '../../database.ts'
import type { NewOutboxEvent } from '../../dispatch/outbox/enqueue.ts'
import { applyWrites } from '../../drivers/apply-writes.ts'
import { type Announce, type Committed, committedOf, emittedIn } from '../../events/committed.ts'
import { mergeRows, type Rows } from '../../sql/insert-rows.ts'
import type { IdempotencyKey, IdempotencyRecord } from '../idempotency-records.ts'
import type { ItemChange } from '../item-change.ts'
import { type FailedUnit, failureOf } from './failed-unit.ts'
import { eventOf, itemWrites } from './item-writes.ts'
import type { ReadProof } from './read-proofs.ts'

export type Committer = {
  /**
   * Commits a change, in one transaction with others that arrive at the same time. Resolves after the commit.
   * @param key kept with the change
   * @throws Conflict when the list or the item has changed since, or a request with the key has been answered; RejectedChange: AliasTaken,
   *   or what the account's plan does not allow; SERVICE_UNAVAILABLE when the queue is full or closing
   */
  commit(change: ItemChange, key?: IdempotencyKey): Promise<void>
  /**
   * Commits changes as a unit, all or nothing. A unit of many changes has a transaction for itself. Several changes of one item must each
   * be computed from the previous one. Aliases are compared as the whole unit leaves them, so two items can swap theirs. A deleted item
   * that is created again cannot be deleted by the same unit.
   * @throws as `commit`, with the index of the change in a Conflict and RejectedChange; a Conflict with the index of the proof when a proof
   *   no longer holds, for example because an item now has an alias that was free; PAYLOAD_TOO_LARGE for more than 1,000 changes, or more
   *   than 32 MiB of snapshots and payloads, unless it is bounded already
   */
  commitAll(changes: readonly ItemChange[], context?: CommitContext): Promise<void>
  /** Changes that wait for their transaction. */
  waiting(): number
  /** Rejects new changes and waits for the queued ones. */
  close(): Promise<void>
}

/** Further data that is committed with changes. */
export type CommitContext = {
  /** Kept with the changes. */
  key?: IdempotencyKey | undefined
  /** The reads that the changes depend on, apart from their items. */
  proofs?: readonly ReadProof[]
  /** What flows have emitted. */
  emitted?: readonly NewOutboxEvent[]
  /** Rows of other tables, inserted last. */
  rows?: readonly Rows[]
  /** Whether its bytes are already bounded, without revealing their number. */
  isBounded?: boolean
}

type Unit = CommitContext & { changes: readonly ItemChange[] }

/** A unit that waits for its transaction. */
type Pending = Unit & {
  bytes: number
  resolve(): void
  reject(error: unknown): void
}

const maxWaiting = 2_000
const maxWaitingBytes = 32 * 1024 * 1024
const maxGroup = 64
/** The most changes of a unit that shares its transaction. */
const maxShared = 16
const maxGroupBytes = 4 * 1024 * 1024
const maxUnitBytes = 32 * 1024 * 1024

/**
 * Commits changes that arrive together in one transaction, with few statements per table.
 * Groups of 64 allow 15 times as many creates per second as one transaction for each.
 * It pauses 1 ms between two groups, so that other processes can acquire the write lock.
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

  async function enqueue(unit: Unit): Promise<void> {
    const bytes = bytesOf(unit) + (unit.key?.result?.length ?? 0)
    if (!unit.isBounded) assertUnitFits(unit)
    const isTooMuch = queued.changes + unit.changes.length > maxWaiting || queued.bytes + bytes > maxWaitingBytes
    // The first unit of the queue is accepted regardless of its size, because no caller waits longer for it.
    if (closing || (queued.changes > 0 && isTooMuch)) {
      throw unavailable('too many item changes are waiting')
    }
    queued.changes += unit.changes.length
    queued.bytes += bytes
    return new Promise((resolve, reject) => {
      queue.push({ ...unit, bytes, resolve, reject })
      running ??= runQueue()
    })
  }

  return {
    commit: (change, key) => enqueue({ changes: [change], key }),
    async commitAll(changes, { key, proofs = [], emitted = [], rows = [], isBounded = false } = {}) {
      if (changes.length + proofs.length + emitted.length + rows.length === 0 && !key) return
      await enqueue({ changes, key, proofs, emitted, rows, isBounded })
    },
    waiting: () => queued.changes,
    async close() {
      closing = true
      await running
    },
  }
}

/** @throws PAYLOAD_TOO_LARGE as `Committer.commitAll` does */
export function assertUnitFits(unit: Pick<Unit, 'changes' | 'emitted'>): void {
  if (unit.changes.length > maxBatchOperations || bytesOf(unit) > maxUnitBytes) throw tooLarge()
}

/** Bytes of a unit's events and payloads. */
function bytesOf({ changes, emitted = [] }: Pick<Unit, 'changes' | 'emitted'>): number {
  const emittedBytes = emitted.reduce((sum, { payload }) => sum + payload.length, 0)
  return changes.reduce((sum, change) => sum + changeBytes(change), emittedBytes)
}

/**
 * Commits a group, and resolves or rejects each of its units. A failed group is halved until each failing unit is isolated; the others
 * still share transactions. If the database is unavailable, the whole group fails, because smaller groups would fail too.
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
      only.reject(await failureOf(db, failedUnit(only), error).catch((unread) => unread))
    } else {
      const middle = Math.ceil(group.length / 2)
      await commitGroup(db, group.slice(0, middle), announce)
      await commitGroup(db, group.slice(middle), announce)
    }
  }
}

function failedUnit({ changes: unit, key, proofs = [] }: Unit): FailedUnit {
  return { unit, key, proofs }
}

/** @throws Outdated, Conflict, a unique violation */
async function writeGroup(db: Database, group: readonly Pending[]): Promise<Committed[]> {
  const changes = group.flatMap((unit) => unit.changes)
  const emitted = group.flatMap((unit) => unit.emitted ?? [])
  const steps = itemWrites(changes, {
    idempotencyRecords: group.flatMap(recordsOf),
    proofs: group.flatMap(({ proofs = [], changes: own }) => (proofs.length > 0 ? [{ proofs, own }] : [])),
    emitted,
    rows: mergeRows(group.flatMap(({ rows = [] }) => rows)),
  })
  const enqueued = await applyWrites(db, steps, { subjects: changes.length + emitted.length })
  const requestId = changes[0]?.requestId ?? emitted[0]?.requestId ?? ''
  const outboxOf = (accountId: string) => (enqueued.includes(accountId) ? { requestId } : null)
  return [...committedOf(changes.map(announcedOf), outboxOf), ...emittedIn(emitted, outboxOf)]
}

function announcedOf(change: ItemChange) {
  return { ...eventOf(change), ...(change.list.realtime && { realtime: true as const }) }
}

function recordsOf({ changes, key }: Unit): IdempotencyRecord[] {
  return key ? [{ result: JSON.stringify(changes.map(({ event }) => event.id)), ...key }] : []
}

/**
 * The units to commit next: a large unit if it is first in the queue, otherwise the longest waiting units that fit one transaction. In a
 * group, no item is changed by two units, because the second would conflict, and none is changed by one unit and verified by another,
 * because each could depend on the other.
 */
function takeGroup(queue: readonly Pending[]): { group: Pending[]; rest: Pending[] } {
  const nextLarge = queue.findIndex(({ changes }) => changes.length > maxShared)
  if (nextLarge === 0) return { group: queue.slice(0, 1), rest: queue.slice(1) }
  const small = nextLarge < 0 ? queue : queue.slice(0, nextLarge) // nothing passes a large unit that waits
  const group: Pending[] = []
  const rest: Pending[] = []
  const [changed, read] = [new Set<string>(), new Set<string>()]
  let [rows, bytes] = [0, 0]
  for (const pending of small) {
    const own = pending.changes.map(({ itemId }) => itemId)
    const proven = (pending.proofs ?? []).flatMap((proof) => ('itemId' in proof ? [proof.itemId] : []))
    const size = own.length + (pending.emitted ?? []).length
    const isApart = !own.some((id) => changed.has(id) || read.has(id)) && !proven.some((id) => changed.has(id))
    const fits = group.length < maxGroup && rows + size <= maxGroup && bytes + pending.bytes <= maxGroupBytes
    if (group.length === 0 || (fits && isApart)) {
      group.push(pending)
      rows += size
      bytes += pending.bytes
    } else {
      rest.push(pending)
    }
    for (const id of own) changed.add(id)
    for (const id of proven) read.add(id)
  }
  return { group, rest: [...rest, ...queue.slice(small.length)] }
}

/** The length of a change's two long texts, which bounds the data of `after` too. */
function changeBytes({ event, payload }: ItemChange): number {
  return event.snapshot.length + payload.length
}

function sizeOf(waiting: readonly Pending[]): { changes: number; bytes: number } {
  return {
    changes: waiting.reduce((sum, { changes }) => sum + changes.length, 0),
    bytes: waiting.reduce((sum, { bytes }) => sum + bytes, 0),
  }
}

function tooLarge(): AppError {
  const message = `At most ${maxBatchOperations} changes, with 32 MiB of events and payloads, can be stored together; send fewer at a time.`
  return new AppError('PAYLOAD_TOO_LARGE', { message })
}

const nextTick = () => new Promise((resolve) => setImmediate(resolve))
const pause = () => new Promise((resolve) => setTimeout(resolve, 1))
