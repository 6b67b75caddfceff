import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { type BatchBounds, nextSize, type Pace, paceNextTo, paces, restAfter } from './pace.ts'
import type { Took } from './timed-transaction.ts'

/** One batch of background work. */
export type Batch = {
  /** The rows that it deleted or wrote. */
  rows: number
  took: Took
  /** Whether there may be more. */
  more: boolean
}

/** Chooses the size of batches of background work and the rests between them, by measurement. */
export type Pacer = {
  /** Starts the next batch. @returns its number of rows */
  size(): number
  /** Rests after a batch, in proportion to its duration without waits. */
  rest(batch: Omit<Batch, 'more'>): Promise<void>
}

type Shared = Pick<Database, 'checkpoint' | 'othersWrote'>

/** The weight of the last wait in the moving average. */
const newestPart = 0.2
/** How long other writers are expected to continue after a write, in milliseconds. */
const othersStayMs = 1_000
/** The time of holding locks, in milliseconds, after which a checkpoint runs. Otherwise a later writer would have to run it. */
const checkpointAfterMs = 50

/** A monotonic clock in milliseconds, and a way to wait. */
type Clock = { now(): number; pause(ms: number): Promise<unknown> }
const realClock: Clock = { now: () => performance.now(), pause }

export function createPacer(db: Shared, bounds: BatchBounds, clock: Clock = realClock): Pacer {
  let size = bounds.first
  let uncheckedMs = 0
  let waitsMs = 0
  let begunAt: number | null = null
  const paceNow = watchPace(db, clock)
  return {
    // The time before a batch does not count as work: there may have been nothing to do for hours.
    size() {
      begunAt = clock.now()
      return size
    },
    async rest({ rows, took: { waitedMs, heldMs } }) {
      waitsMs += (waitedMs - waitsMs) * newestPart
      const pace = paceNextTo(await paceNow(), waitsMs)
      const workMs = clock.now() - (begunAt ?? clock.now()) - waitedMs
      begunAt = null
      size = nextSize(size, { rows, heldMs }, { pace, bounds })
      uncheckedMs += heldMs
      if (uncheckedMs >= checkpointAfterMs) {
        uncheckedMs = 0
        await db.checkpoint()
      }
      await clock.pause(restAfter(workMs, waitedMs, pace))
    },
  }
}

function watchPace({ othersWrote }: Pick<Database, 'othersWrote'>, { now: clock }: Clock): () => Promise<Pace> {
  let sharedUntil = clock() + othersStayMs
  return async () => {
    if (othersWrote === null) return paces.server
    const now = clock()
    if (await othersWrote()) sharedUntil = now + othersStayMs
    return now < sharedUntil ? paces.shared : paces.alone
  }
}

/**
 * Runs batches until nothing is left, or it is stopped.
 * @param batch runs the next batch, with a maximum number of rows
 * @returns the total number of rows; `done`: nothing is left
 */
export async function runBatches(
  pacer: Pacer,
  shouldContinue: () => boolean,
  batch: (size: number) => Promise<Batch>,
): Promise<{ rows: number; done: boolean }> {
  let rows = 0
  while (shouldContinue()) {
    const last = await batch(pacer.size())
    rows += last.rows
    if (!last.more) return { rows, done: true }
    await pacer.rest(last)
  }
  return { rows, done: false }
}
