import { type Batch, type Pacer, runBatches } from './pacer.ts'

/** Deletes rows that expired up to some time, in order of expiry. */
export type Sweeping = {
  pacer: Pacer
  /** The time up to which the next sweep deletes. */
  until(): Promise<number>
  /** Deletes a batch. @returns `from`: the expiry of its last row, at which the next batch begins */
  batch(of: { from: number; until: number; rows: number }): Promise<Batch & { from: number }>
}

/** Null: it was stopped early, and the next call continues. */
export type Sweep = (shouldContinue: () => boolean) => Promise<{ deleted: number } | null>

/** A sweep starts this long before the end of the previous one, because rows may have expired there since a clock was set back. */
export const clocksApartMs = 3_600_000

/**
 * @returns a function that runs a sweep, or continues a stopped one; its result is null when it is stopped early. Sweeps do not pass over
 * rows that earlier ones have deleted, which on Postgres stay in the index until a vacuum.
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
