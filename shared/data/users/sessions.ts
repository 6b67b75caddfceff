import { planOf } from '../accounts/accounts.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Order } from '../pages/orders.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { raw, sql } from '../sql/sql.ts'

/** A dashboard user's session; only the hash of its token is stored. Times are epoch milliseconds. */
export type StoredSession = { id: string; accountId: string; userId: string; createdAt: number; expiresAt: number }

export async function createSession(db: Queries, session: StoredSession & { tokenHash: string }): Promise<void> {
  const { id, accountId, userId, tokenHash, createdAt, expiresAt } = session
  await db.run(
    sql`insert into sessions (id, account_id, kind, subject_id, token_hash, created_at, expires_at)
      values (${id}, ${accountId}, 'user', ${userId}, ${tokenHash}, ${createdAt}, ${expiresAt})`,
  )
}

/** A session, and the id of its account's price plan. */
export type SessionOfAccount = StoredSession & { plan: string }

/** The session of a token, expired or not; null when it or its user does not exist. */
export async function findSessionByTokenHash(db: Queries, tokenHash: string): Promise<SessionOfAccount | null> {
  const row = await db.get<SessionRow & { plan: unknown }>(
    sql`select sessions.id, sessions.account_id, sessions.subject_id, sessions.created_at, sessions.expires_at,
        ${planOf('sessions')} as plan
      from sessions join users on users.id = sessions.subject_id
      where sessions.token_hash = ${tokenHash} and sessions.kind = 'user'`,
  )
  if (!row) return null
  return {
    id: toText(row.id),
    accountId: toText(row.account_id),
    userId: toText(row.subject_id),
    createdAt: toNumber(row.created_at),
    expiresAt: toNumber(row.expires_at),
    plan: toText(row.plan),
  }
}

/** Ends the user session of a token. @returns whether there was one */
export async function deleteSession(db: Queries, tokenHash: string): Promise<boolean> {
  return (await db.run(sql`delete from sessions where token_hash = ${tokenHash} and kind = 'user'`)) > 0
}

/** Ends every session of a user, or all but one. @returns how many there were */
export async function deleteSessionsOfUser(
  db: Queries,
  userId: string,
  { except }: { except?: string } = {},
): Promise<number> {
  const others = except === undefined ? raw('') : sql` and id <> ${except}`
  return db.run(sql`delete from sessions where ${sessionsOf(userId)}${others}`)
}

const sessionsOf = (userId: string) => sql`subject_id = ${userId} and kind = 'user'`

type SessionRow = Record<'id' | 'account_id' | 'subject_id' | 'created_at' | 'expires_at', unknown>

/** A session as its user sees it. */
export type OwnSession = Pick<StoredSession, 'id' | 'createdAt' | 'expiresAt'>

/** The user of the sessions, and the time (epoch milliseconds): sessions that have expired are not shown. */
type SessionsAt = { userId: string; now: number }

/** The orders of pages of a user's sessions. */
export const sessionOrders = {
  createdAt: { key: 'created_at', isText: false, direction: 'desc' },
  expiresAt: { key: 'expires_at', isText: false, direction: 'desc' },
} as const satisfies Record<string, Order>

/**
 * One page of a user's sessions.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order or direction
 */
export function readSessionPage(
  db: Queries,
  at: SessionsAt,
  request: PageRequest & { order: keyof typeof sessionOrders },
): Promise<Page<OwnSession>> {
  const sessions = {
    table: 'sessions',
    columns: ownColumns,
    conditions: liveSessions(at),
    order: sessionOrders[request.order],
    fromRow: ownSessionOf,
  }
  return readTablePage(db, sessions, request)
}

export async function findOwnSession(
  db: Queries,
  { sessionId, ...at }: SessionsAt & { sessionId: string },
): Promise<OwnSession | null> {
  const row = await db.get(sql`select ${ownColumns} from sessions where id = ${sessionId} and ${liveSessions(at)}`)
  return row ? ownSessionOf(row) : null
}

/** Ends one session of a user. @returns the hash of its token; null when there was no such session */
export async function deleteOwnSession(
  db: Queries,
  { sessionId, ...at }: SessionsAt & { sessionId: string },
): Promise<string | null> {
  const row = await db.get(sql`select token_hash from sessions where id = ${sessionId} and ${liveSessions(at)}`)
  if (!row || (await db.run(sql`delete from sessions where id = ${sessionId}`)) === 0) return null
  return toText(row.token_hash)
}

const ownColumns = raw('id, created_at, expires_at')

const liveSessions = ({ userId, now }: SessionsAt) => sql`${sessionsOf(userId)} and expires_at > ${now}`

function ownSessionOf(row: Row): OwnSession {
  return { id: toText(row.id), createdAt: toNumber(row.created_at), expiresAt: toNumber(row.expires_at) }
}
