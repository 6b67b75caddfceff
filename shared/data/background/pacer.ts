import { setTimeout as pause } from 'node:timers/promises'
import type { Database } from '../database.ts'
import { type BatchBounds, nextSize, type Pace, paceNextTo, paces, restAfter } from './pace.ts'
import type { Took } from './timed-transaction.ts'

/** One batch of background work. */
export type Batch = {
  /** What it deleted or wrote. */
  rows: number
  took: Took
  /** Whether there may be more. */
  more: boolean
}

/** Sizes the batches of background work, and rests between them, by what it measures. */
export type Pacer = {
  /** How many rows the next batch should have, which begins now. */
  size(): number
  /** Rests behind a batch, in proportion to the time since it began that it did not wait. */
  rest(batch: Omit<Batch, 'more'>): Promise<void>
}

type Shared = Pick<Database, 'checkpoint' | 'othersWrote'>

/** The part of the last wait in the mean of all. */
const newestPart = 0.2
/** For how long others who wrote are expected to go on. */
const othersStayMs = 1_000
/** After how long a time of locks what was written is moved to its final place: otherwise one of the next writers would have to. */
const checkpointAfterMs = 50

/** Milliseconds since any time, and how to wait so many. */
type Clock = { now(): number; pause(ms: number): Promise<unknown> }
const realClock: Clock = { now: () => performance.now(), pause }

export function createPacer(db: Shared, bounds: BatchBounds, clock: Clock = realClock): Pacer {
  let size = bounds.first
  let uncheckedMs = 0
  let waitsMs = 0
  let begunAt: number | null = null
  const paceNow = watchPace(db, clock)
  return {
    // Before a batch there may have been nothing to do for hours: that time is no work of it.
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
 * Does batch after batch until nothing is left, or it is stopped.
 * @param batch does the next one, of so many rows at most
 * @returns how many rows all had; `done`: nothing is left
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
