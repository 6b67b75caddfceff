import { hash } from 'node:crypto'
import { type LoginAttempts, nextLoginWait, withoutAttempt } from '#shared/domain/identity/login-attempts.ts'
import { toNumber } from '../columns.ts'
import { Conflict, retryOnConflict } from '../conflict.ts'
import type { Queries } from '../database.ts'
import { isUniqueViolation } from '../database-errors.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

/**
 * Counts a login attempt before its password is verified, so that parallel guesses cannot exceed the limit (contract 2.5): each
 * attempt is added to exactly the count that allowed it, or reads the count again. Attempts compete until the next wait at most,
 * and attempts during a wait only read. Counts last until `forgetLoginAttempts`, or until their `forgetAt`.
 * @param attempt.key identifies the user or identity, existing or not; only its hash is stored
 * @returns milliseconds to wait; 0 when the login may proceed
 * @throws SERVICE_UNAVAILABLE when other attempts keep coming first
 */
export async function countLoginAttempt(
  db: Queries,
  attempt: { key: readonly string[]; now: number },
): Promise<number> {
  const hashed = hashOf(attempt.key)
  return retryOnConflict('login', async () => {
    const before = await findAttempts(db, hashed)
    const { waitMs, counted } = nextLoginWait(before, attempt.now)
    if (counted && !(await replaceAttempts(db, hashed, before, counted))) throw new Conflict('login')
    return waitMs
  })
}

/** The milliseconds that `countLoginAttempt` would return now; counts nothing. */
export async function readLoginWait(db: Queries, attempt: { key: readonly string[]; now: number }): Promise<number> {
  return nextLoginWait(await findAttempts(db, hashOf(attempt.key)), attempt.now).waitMs
}

/**
 * Removes an attempt that `countLoginAttempt` counted, because no password was verified.
 * @param attempt as it was counted
 * @throws SERVICE_UNAVAILABLE when other attempts keep coming first
 */
export async function refundLoginAttempt(db: Queries, attempt: { key: readonly string[]; now: number }): Promise<void> {
  const hashed = hashOf(attempt.key)
  await retryOnConflict('login', async () => {
    const before = await findAttempts(db, hashed)
    if (before && !(await replaceAttempts(db, hashed, before, withoutAttempt(before, attempt.now)))) {
      throw new Conflict('login')
    }
  })
}

/** Clears the attempts counted under the keys: a login succeeded, or the password was changed. */
export async function forgetLoginAttempts(db: Queries, ...keys: (readonly string[])[]): Promise<void> {
  await db.run(sql`delete from login_attempts where ${inList('login_key', keys.map(hashOf))}`)
}

function hashOf(key: readonly string[]): string {
  return hash('sha256', JSON.stringify(key))
}

type AttemptsRow = { failures: unknown; blocked_until: unknown; forget_at: unknown }

async function findAttempts(db: Queries, key: string): Promise<LoginAttempts | null> {
  const row = await db.get<AttemptsRow>(
    sql`select failures, blocked_until, forget_at from login_attempts where login_key = ${key}`,
  )
  if (!row) return null
  return {
    failures: toNumber(row.failures),
    blockedUntil: toNumber(row.blocked_until),
    forgetAt: toNumber(row.forget_at),
  }
}

/** @returns false when the stored attempts are no longer `before` */
async function replaceAttempts(
  db: Queries,
  key: string,
  before: LoginAttempts | null,
  after: LoginAttempts,
): Promise<boolean> {
  if (before === null) return insertAttempts(db, key, after)
  const changed = await db.run(sql`update login_attempts
    set failures = ${after.failures}, blocked_until = ${after.blockedUntil}, forget_at = ${after.forgetAt}
    where login_key = ${key} and failures = ${before.failures} and blocked_until = ${before.blockedUntil}
      and forget_at = ${before.forgetAt}`)
  return changed > 0
}

async function insertAttempts(db: Queries, key: string, attempts: LoginAttempts): Promise<boolean> {
  const { failures, blockedUntil, forgetAt } = attempts
  try {
    await db.run(sql`insert into login_attempts (login_key, failures, blocked_until, forget_at)
      values (${key}, ${failures}, ${blockedUntil}, ${forgetAt})`)
    return true
  } catch (error) {
    if (isUniqueViolation(error)) return false
    throw error
  }
}
