import { loginLimits } from '#shared/domain/limits.ts'
import type { Queries } from '../database.ts'
import { isUniqueViolation } from '../drivers/database-errors.ts'
import { joinSql, sql } from '../sql/sql.ts'

const { freeFailures, firstWaitMs, longestWaitMs, forgetMs } = loginLimits

/**
 * Counts a login before its password is verified, so that parallel guesses cannot beat the limit (contract 2.5): the first
 * five are free, then each opens a wait of a second, doubling to a quarter of an hour. Only a login that may go on is
 * counted. It stands until `forgetLoginAttempts`, or until 12 hours after the last one.
 * @param attempt.key names whoever signs in, existing or not
 * @returns milliseconds to wait; 0 when the login may go on
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
    // Otherwise another process has counted or cleared it in between: from the beginning.
    if (waitMs > 0) return waitMs
  }
}

/** After a success nothing stands against the name any more. */
export async function forgetLoginAttempts(db: Queries, key: string): Promise<void> {
  await db.run('delete from login_attempts where login_key = ?', [key])
}

/** One statement, so that no two attempts see the same count. `blocked_until` comes first: MySQL assigns in this order. */
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

/** How often the wait doubles before the longest is shorter. */
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
