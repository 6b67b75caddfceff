import type { StoredSession } from '#shared/data/accounts/sessions.ts'
import type { UserCaller } from '../../request/principal.ts'

/** A user's session made ready to be asked on every request. */
export type LiveSession = {
  caller: UserCaller
  /** @param now epoch milliseconds */
  isLive(now: number): boolean
}

export function liveSession(stored: StoredSession | null | undefined): LiveSession | null {
  if (!stored) return null
  const { id, accountId, userId, expiresAt } = stored
  const actor = { authMode: 'user', tokenId: null, identityId: null } as const
  return {
    caller: { mode: 'user', accountId, userId, sessionId: id, actor },
    isLive: (now) => now < expiresAt,
  }
}
