import { hash } from 'node:crypto'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import { isUniqueViolation } from '../database-errors.ts'
import { sql } from '../sql/sql.ts'

// A separate row of `login_attempts` counts the attempts of one name that are being verified: `failures` is their number,
// `forget_at` the latest time at which the last of them ends, in case its process ends first. Retention deletes such rows.

/** An attempt to sign in; the key identifies the user or identity that it names. Times are epoch milliseconds. */
type Attempt = { key: readonly string[]; now: number }

/** Records for other processes that an attempt is being verified, before it is counted. */
export async function beginVerifying(db: Queries, { key, now, until }: Attempt & { until: number }): Promise<void> {
  const row = rowOf(key)
  const joined = () =>
    db.run(sql`update login_attempts
      set failures = case when forget_at > ${now} then failures + 1 else 1 end,
        forget_at = case when forget_at > ${until} then forget_at else ${until} end
      where login_key = ${row}`)
  if ((await joined()) > 0) return
  try {
    await db.run(sql`insert into login_attempts (login_key, failures, blocked_until, forget_at)
      values (${row}, 1, 0, ${until})`)
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    await joined()
  }
}

/** Records that the attempt has ended; a failure has been counted by then. */
export async function endVerifying(db: Queries, { key }: Pick<Attempt, 'key'>): Promise<void> {
  const row = rowOf(key)
  const gone = await db.run(sql`delete from login_attempts where login_key = ${row} and failures <= 1`)
  if (gone > 0) return
  await db.run(sql`update login_attempts set failures = failures - 1 where login_key = ${row} and failures > 0`)
  // Of two attempts that end at the same time, each has found the other.
  await db.run(sql`delete from login_attempts where login_key = ${row} and failures = 0`)
}

/** Whether attempts that may still succeed are being verified. */
export async function isVerifying(db: Queries, { key, now }: Attempt): Promise<boolean> {
  const found = await db.get<{ failures: unknown }>(
    sql`select failures from login_attempts where login_key = ${rowOf(key)} and forget_at > ${now}`,
  )
  return found !== undefined && found !== null && toNumber(found.failures) > 0
}

function rowOf(key: readonly string[]): string {
  return hash('sha256', JSON.stringify(['verifying', ...key]))
}
