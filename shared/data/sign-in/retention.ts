import type { Database } from '../database.ts'
import { sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'

const batchRows = 500

/**
 * Deletes one batch of expired sessions of users and identities, one of login attempt counts that have no effect any more,
 * and one of expired one-time tokens of identities. A session that its group's settings ended earlier is deleted at the
 * expiry it was created with.
 * @param now epoch milliseconds
 * @returns how many rows of each were deleted; `more`: there may be more
 */
export async function deleteEndedSignIns(
  db: Database,
  now: number,
): Promise<{ sessions: number; attempts: number; tokens: number; more: boolean }> {
  const sessions = await deleteSessions(db, now)
  const attempts = await deleteAttempts(db, now)
  const tokens = await deleteTokens(db, now)
  return { sessions, attempts, tokens, more: [sessions, attempts, tokens].includes(batchRows) }
}

async function deleteSessions(db: Database, now: number): Promise<number> {
  const ended = sql`select id from sessions where expires_at <= ${now} order by expires_at limit ${batchRows}`
  const ids = (await db.all<{ id: string }>(ended)).map(({ id }) => id)
  if (ids.length > 0) await db.run(sql`delete from sessions where ${inList('id', ids)}`)
  return ids.length
}

/** A count to which an attempt was added meanwhile stays. */
async function deleteAttempts(db: Database, now: number): Promise<number> {
  const forgotten = sql`select login_key from login_attempts
    where forget_at <= ${now} order by forget_at limit ${batchRows}`
  const keys = (await db.all<{ login_key: string }>(forgotten)).map((row) => row.login_key)
  if (keys.length > 0)
    await db.run(sql`delete from login_attempts where ${inList('login_key', keys)} and forget_at <= ${now}`)
  return keys.length
}

async function deleteTokens(db: Database, now: number): Promise<number> {
  const expired = sql`select token_hash from identity_one_time_tokens
    where expires_at <= ${now} order by expires_at limit ${batchRows}`
  const hashes = (await db.all<{ token_hash: string }>(expired)).map((row) => row.token_hash)
  if (hashes.length > 0) await db.run(sql`delete from identity_one_time_tokens where ${inList('token_hash', hashes)}`)
  return hashes.length
}
