import { hashingTimeoutMs, type UserLoginAnswer } from '#shared/bus/messages/identity.ts'
import {
  deleteOwnSession,
  deleteSession,
  deleteSessionsOfUser,
  findOwnSession,
  type OwnSession,
} from '#shared/data/users/sessions.ts'
import { AppError } from '#shared/errors.ts'
import { revokeToken, revokeUser } from '../../auth/revocation.ts'
import type { UserPrincipal } from '../../request/principal.ts'
import type { AccountDeps } from './context.ts'
import { getSignedIn, type SignedIn } from './own-user.ts'

/**
 * Signs a user in: the identity service verifies the password and opens the session.
 * @throws USER_NOT_AUTHENTICATED for any wrong input; IDENTITY_TOO_MANY_ATTEMPTS; SERVICE_UNAVAILABLE
 */
export async function login(
  deps: AccountDeps,
  input: { email: string; password: string; clientAddress: string; requestId: string },
): Promise<SignedIn & { token: string; expiresAt: number }> {
  const { requestId, ...message } = input
  const session = await deps.bus.request<UserLoginAnswer>('identity.user-login', message, {
    timeoutMs: hashingTimeoutMs,
    requestId,
  })
  const { token, expiresAt } = session
  return { ...(await getSignedIn(deps, session)), token, expiresAt }
}

/**
 * Ends a session, if it has not ended yet. The gateway does this, not the identity service, so that it works while NATS is
 * unreachable. On this gateway the session ends before the response; on others when they receive the message or, without
 * it, when their caches expire.
 */
export async function logout(deps: AccountDeps, tokenHash: string): Promise<void> {
  await deleteSession(deps.db, tokenHash)
  revokeToken(deps, tokenHash)
}

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

/** Ends every session of the user, including that of the request. */
export async function endOwnSessions(deps: AccountDeps, { userId }: UserPrincipal): Promise<void> {
  await deleteSessionsOfUser(deps.db, userId)
  revokeUser(deps, userId)
}
