import { deleteOwnSession, deleteSessionsOfUser, findOwnSession, type OwnSession } from '#shared/data/users/sessions.ts'
import { AppError } from '#shared/errors.ts'
import { revokeToken, revokeUser } from '../../auth/revocation.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { AccountDeps } from './context.ts'

type SessionRequest = { principal: UserPrincipal; sessionId: string }

/** A session of the user. @throws REQUESTED_ENTITY_NOT_FOUND when there is none, or when it is another user's */
export async function getOwnSession(
  { db, now }: AccountDeps,
  { principal: { userId }, sessionId }: SessionRequest,
): Promise<OwnSession> {
  const session = await findOwnSession(db, { userId, sessionId, now: now() })
  if (!session) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  return session
}

/** Ends a session of the user, which may be the one of the request. @throws REQUESTED_ENTITY_NOT_FOUND */
export async function endOwnSession(
  deps: AccountDeps,
  { principal: { userId }, sessionId }: SessionRequest,
): Promise<void> {
  const tokenHash = await deleteOwnSession(deps.db, { userId, sessionId, now: deps.now() })
  if (tokenHash === null) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  revokeToken(deps, tokenHash)
}

/** Ends every session of the user, that of the request too. */
export async function endOwnSessions(deps: AccountDeps, { userId }: UserPrincipal): Promise<void> {
  await deleteSessionsOfUser(deps.db, userId)
  revokeUser(deps, userId)
}
