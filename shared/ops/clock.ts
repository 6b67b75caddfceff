import type { Database } from '#shared/data/database.ts'
import type { Logger } from '#shared/log/logger.ts'
import type { CheckResult } from './readiness.ts'

const everyMs = 60_000
/** The difference from which it is logged, and the one below which it may be logged again. */
const loggedMs = 10_000
const endedMs = 5_000
const degradedMs = 60_000

/** `check` is for readiness; it returns the last result. */
export type ClockWatch = { check(): Promise<CheckResult>; stop(): void }

/**
 * Compares the clock of this process with that of its database once a minute: leases, due times and sessions use the database's
 * clock, times of items this one. While the clocks differ, this is logged once.
 */
export function watchClock({ db, log }: { db: Pick<Database, 'now'>; log: Logger }): ClockWatch {
  let aheadMs = 0
  let isApart = false
  async function look(): Promise<void> {
    aheadMs = await databaseAheadMs(db)
    const wasApart = isApart
    isApart = Math.abs(aheadMs) >= (wasApart ? endedMs : loggedMs)
    if (isApart && !wasApart) log('clock.apart', { aheadMs })
  }
  // An unreachable database is reported by its own check.
  const lookIfThere = () => void look().catch(() => {})
  lookIfThere()
  const timer = setInterval(lookIfThere, everyMs)
  // The timer does not keep the process running.
  timer.unref()
  return { check: async () => checkClock(aheadMs), stop: () => clearInterval(timer) }
}

/** @param aheadMs by how much the database's clock is ahead; negative: behind */
export function checkClock(aheadMs: number): CheckResult {
  if (Math.abs(aheadMs) < degradedMs) return 'ok'
  const seconds = Math.round(Math.abs(aheadMs) / 1_000)
  return { degraded: `${seconds} s ${aheadMs > 0 ? 'behind' : 'ahead of'} the clock of the database` }
}

/**
 * By how much the database's clock is ahead of this one, at least; negative: behind. The database has read its clock at some time
 * between the request and its result.
 */
export async function databaseAheadMs(db: Pick<Database, 'now'>): Promise<number> {
  const before = Date.now()
  const there = await db.now()
  const after = Date.now()
  return there > after ? there - after : Math.min(0, there - before)
}
