import { hash } from 'node:crypto'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import { isUniqueViolation } from '../database-errors.ts'
import { sql } from '../sql/sql.ts'

// How many attempts of one name are being verified stands in a row of `login_attempts` of its own: `failures` is their number,
// `forget_at` when the last of them is over at the latest, in case its process ends before it. Retention takes such rows.

/** An attempt to sign in, by whom it names. Times are epoch milliseconds. */
type Attempt = { key: readonly string[]; now: number }

/** Tells the other processes that an attempt is being verified, before it is counted. */
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

/** Tells them that its end is known: a failure stands in the count by then. */
export async function endVerifying(db: Queries, { key }: Pick<Attempt, 'key'>): Promise<void> {
  const row = rowOf(key)
  const gone = await db.run(sql`delete from login_attempts where login_key = ${row} and failures <= 1`)
  if (gone > 0) return
  await db.run(sql`update login_attempts set failures = failures - 1 where login_key = ${row} and failures > 0`)
  // Two that end at once have each found the other.
  await db.run(sql`delete from login_attempts where login_key = ${row} and failures = 0`)
}

/** Whether attempts are being verified that may still succeed. */
export async function isVerifying(db: Queries, { key, now }: Attempt): Promise<boolean> {
  const found = await db.get<{ failures: unknown }>(
    sql`select failures from login_attempts where login_key = ${rowOf(key)} and forget_at > ${now}`,
  )
  return found !== undefined && found !== null && toNumber(found.failures) > 0
}

function rowOf(key: readonly string[]): string {
  return hash('sha256', JSON.stringify(['verifying', ...key]))
}
