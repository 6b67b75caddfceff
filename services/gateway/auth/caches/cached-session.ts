import type { StoredSession } from '#shared/data/users/sessions.ts'
import type { UserPrincipal } from '../../request/principal.ts'

/** A user's session, prepared for checks on every request. */
export type CachedSession = {
  principal: UserPrincipal
  /** @param now epoch milliseconds */
  isActive(now: number): boolean
}

export function cachedSession(stored: StoredSession | null): CachedSession | null {
  if (!stored) return null
  const { id, accountId, userId, expiresAt } = stored
  const actor = { authMode: 'user', tokenId: null, identityId: null } as const
  return {
    principal: { mode: 'user', accountId, userId, sessionId: id, actor },
    isActive: (now) => now < expiresAt,
  }
}
