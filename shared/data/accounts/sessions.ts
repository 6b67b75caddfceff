import { toNumber, toText } from '../columns.ts'
import type { Queries } from '../database.ts'

/** A dashboard user's session; only the hash of its token is stored. Times are epoch milliseconds. */
export type StoredSession = { id: string; accountId: string; userId: string; createdAt: number; expiresAt: number }

export async function createSession(db: Queries, session: StoredSession & { tokenHash: string }): Promise<void> {
  const { id, accountId, userId, tokenHash, createdAt, expiresAt } = session
  await db.run(
    `insert into sessions (id, account_id, kind, subject_id, token_hash, created_at, expires_at)
      values (?, ?, 'user', ?, ?, ?, ?)`,
    [id, accountId, userId, tokenHash, createdAt, expiresAt],
  )
}

/** The session of a token, expired or not; null when it or its user does not exist. */
export async function findSessionByTokenHash(db: Queries, tokenHash: string): Promise<StoredSession | null> {
  const row = await db.get<SessionRow>(
    `select sessions.id, sessions.account_id, sessions.subject_id, sessions.created_at, sessions.expires_at
      from sessions join users on users.id = sessions.subject_id
      where sessions.token_hash = ? and sessions.kind = 'user'`,
    [tokenHash],
  )
  if (!row) return null
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    userId: toText(row.subject_id),
    createdAt: toNumber(row.created_at),
    expiresAt: toNumber(row.expires_at),
  }
}

/** Ends the user session of a token. @returns whether there was one */
export async function deleteSession(db: Queries, tokenHash: string): Promise<boolean> {
  return (await db.run("delete from sessions where token_hash = ? and kind = 'user'", [tokenHash])) > 0
}

/** Ends every session of a user. @returns how many there were */
export async function deleteSessionsOfUser(db: Queries, userId: string): Promise<number> {
  return db.run("delete from sessions where subject_id = ? and kind = 'user'", [userId])
}

type SessionRow = Record<'id' | 'account_id' | 'subject_id' | 'created_at' | 'expires_at', unknown>
