import { type Batch, type Pacer, runBatches } from './pacer.ts'

/** Deletes what has ended up to some time, from the row that ended first to the one that ended last. */
export type Sweeping = {
  pacer: Pacer
  /** Up to which time the next sweep deletes. */
  until(): Promise<number>
  /** Deletes a batch. @returns `from`: the end of its last row, which the next batch begins with */
  batch(of: { from: number; until: number; rows: number }): Promise<Batch & { from: number }>
}

/** Null: it was stopped before its end, and the next call goes on. */
export type Sweep = (shouldContinue: () => boolean) => Promise<{ deleted: number } | null>

/** A sweep begins so long before the end of the one before: a clock that was set back may have let rows end there since. */
export const clocksApartMs = 3_600_000

/**
 * @returns does a sweep, or goes on with the one that was stopped; null when it is stopped before its end. No sweep passes again
 *   what those before have deleted: on Postgres it stays in the index until a vacuum.
 */
export function createSweep({ pacer, until, batch }: Sweeping): Sweep {
  let current: { from: number; until: number; deleted: number } | null = null
  let sweptUntil = 0
  return async (shouldContinue) => {
    const sweep = current ?? { from: Math.max(0, sweptUntil - clocksApartMs), until: await until(), deleted: 0 }
    current = sweep
    const { done } = await runBatches(pacer, shouldContinue, async (rows) => {
      const last = await batch({ from: sweep.from, until: sweep.until, rows })
      sweep.from = last.from
      sweep.deleted += last.rows
      return last
    })
    if (!done) return null
    sweptUntil = sweep.until
    current = null
    return { deleted: sweep.deleted }
  }
}
