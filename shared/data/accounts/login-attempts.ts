import { loginLimits } from '#shared/domain/limits.ts'
import type { Queries } from '../database.ts'
import { isUniqueViolation } from '../drivers/database-errors.ts'
import { joinSql, sql } from '../sql/sql.ts'

const { freeFailures, firstWaitMs, longestWaitMs, forgetMs } = loginLimits

/**
 * Counts a login attempt before its password is verified, so that parallel guesses cannot exceed the limit (contract 2.5): the
 * first five are free, then each starts a wait of one second, doubling up to a quarter of an hour. Attempts during a wait
 * are rejected and not counted. Counts last until `forgetLoginAttempts`, or until 12 hours after the last attempt.
 * @param attempt.key identifies the user or identity, existing or not
 * @returns milliseconds to wait; 0 when the login may proceed
 */
export async function countLoginAttempt(db: Queries, attempt: { key: string; now: number }): Promise<number> {
  for (;;) {
    if (await countAgain(db, attempt)) return 0
    if (await countFirst(db, attempt)) return 0
    const row = await db.get<{ blocked_until: unknown }>(
      'select blocked_until from login_attempts where login_key = ?',
      [attempt.key],
    )
    const waitMs = Number(row?.blocked_until ?? 0) - attempt.now
    // Otherwise another process has counted or cleared attempts in between: start again.
    if (waitMs > 0) return waitMs
  }
}

/** Clears the counted attempts after a successful login. */
export async function forgetLoginAttempts(db: Queries, key: string): Promise<void> {
  await db.run('delete from login_attempts where login_key = ?', [key])
}

/** One statement, so that no two attempts read the same count. `blocked_until` comes first: MySQL assigns in this order. */
async function countAgain(db: Queries, { key, now }: { key: string; now: number }): Promise<boolean> {
  const waits = Array.from(
    { length: doublings },
    (_, n) => sql`when failures + 1 = ${freeFailures + n} then ${now + firstWaitMs * 2 ** n}`,
  )
  const changed = await db.run(sql`update login_attempts set
    blocked_until = case when forget_at <= ${now} or failures + 1 < ${freeFailures} then 0
      ${joinSql(waits, ' ')} else ${now + longestWaitMs} end,
    failures = case when forget_at <= ${now} then 1 else failures + 1 end,
    forget_at = ${now + forgetMs}
    where login_key = ${key} and (blocked_until <= ${now} or forget_at <= ${now})`)
  return changed > 0
}

/** How often the wait doubles until it reaches the longest. */
const doublings = Math.ceil(Math.log2(longestWaitMs / firstWaitMs))

async function countFirst(db: Queries, { key, now }: { key: string; now: number }): Promise<boolean> {
  try {
    await db.run('insert into login_attempts (login_key, failures, blocked_until, forget_at) values (?, 1, 0, ?)', [
      key,
      now + forgetMs,
    ])
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
