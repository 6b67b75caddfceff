import type { SessionOfAccount } from '#shared/data/users/sessions.ts'
import type { LimitsOfAccounts } from '#shared/domain/plan/plan.ts'
import type { UserPrincipal } from '../../request/principal.ts'

/** A user's session, prepared for checks on every request. */
export type CachedSession = {
  principal: UserPrincipal
  /** @param now epoch milliseconds */
  isActive(now: number): boolean
}

/** @param accounts the limits of price plans */
export function cachedSession(
  stored: SessionOfAccount | null,
  { limitsOf, ratesOf }: LimitsOfAccounts,
): CachedSession | null {
  if (!stored) return null
  const [limits, rates] = [limitsOf(stored.plan), ratesOf(stored.plan)]
  const { id, accountId, userId, expiresAt } = stored
  const actor = { authMode: 'user', tokenId: null, identityId: null, userId } as const
  return {
    principal: { mode: 'user', accountId, limits, rates, userId, sessionId: id, actor },
    isActive: (now) => now < expiresAt,
  }
}
