import { sessionEndsAt } from '#shared/domain/identity/session.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import type { Order } from '../pages/orders.ts'
import type { Page, PageRequest } from '../pages/page.ts'
import { readTablePage } from '../pages/table-page.ts'
import { raw, sql } from '../sql/sql.ts'
import { isLiveSession, type LiveSessions } from './identity-sessions.ts'

/** A session as its identity sees it. Times are epoch milliseconds. */
export type OwnSession = {
  id: string
  createdAt: number
  lastUsedAt: number
  /** The time at which it ends unless it is used again. */
  endsAt: number
  tokenHash: string
}

/** The orders of pages of an identity's sessions. */
export const identitySessionOrders = {
  createdAt: { key: 'created_at', isText: false, direction: 'desc' },
  lastUsedAt: { key: 'last_used_at', isText: false, direction: 'desc' },
} as const satisfies Record<string, Order>

export type IdentitySessionOrder = keyof typeof identitySessionOrders

/**
 * One page of an identity's sessions that have not ended.
 * @throws VALIDATION_FAILED when the cursor is invalid, or was issued for another order or direction
 */
export function readIdentitySessionPage(
  db: Queries,
  of: LiveSessions,
  request: PageRequest & { order: IdentitySessionOrder },
): Promise<Page<OwnSession>> {
  const sessions = {
    table: 'sessions',
    columns,
    conditions: isLiveSession(of),
    order: identitySessionOrders[request.order],
    fromRow: (row: Row) => sessionOf(row, of),
  }
  return readTablePage(db, sessions, request)
}

/** One of an identity's sessions that have not ended. */
export async function findIdentitySessionById(
  db: Queries,
  of: LiveSessions & { sessionId: string },
): Promise<OwnSession | null> {
  const row = await db.get(sql`select ${columns} from sessions where id = ${of.sessionId} and ${isLiveSession(of)}`)
  return row ? sessionOf(row, of) : null
}

const columns = raw('id, created_at, expires_at, last_used_at, token_hash')

function sessionOf(row: Row, { settings }: LiveSessions): OwnSession {
  const createdAt = toNumber(row.created_at)
  const lastUsedAt = toNumber(row.last_used_at)
  const endsAt = sessionEndsAt({ createdAt, lastUsedAt, expiresAt: toNumber(row.expires_at) }, settings)
  return { id: toText(row.id), createdAt, lastUsedAt, endsAt, tokenHash: toText(row.token_hash) }
}
