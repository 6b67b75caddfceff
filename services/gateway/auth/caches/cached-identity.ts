import type { IdentitySession } from '#shared/data/identities/identity-sessions.ts'
import { lastUsedIntervalMs, sessionEndsAt } from '#shared/domain/identity/session.ts'
import type { PrincipalIdentity } from '../../request/principal.ts'

/** The session of an identity, prepared for checks on every request. */
export type CachedIdentity = {
  sessionId: string
  accountId: string
  identity: PrincipalIdentity
  /** @param now epoch milliseconds */
  isActive(now: number): boolean
  /** Restarts the idle time. @returns whether the use must also be recorded for other processes */
  use(now: number): boolean
}

export function cachedIdentity(stored: IdentitySession | null): CachedIdentity | null {
  if (!stored?.identity.activated) return null
  const { id: sessionId, accountId, settings } = stored
  const { activated: _, ...identity } = stored.identity
  const recordIntervalMs = lastUsedIntervalMs(settings)
  let { lastUsedAt } = stored
  let recordedAt = lastUsedAt
  return {
    sessionId,
    accountId,
    identity,
    isActive: (now) => now < sessionEndsAt({ ...stored, lastUsedAt }, settings),
    use(now) {
      lastUsedAt = Math.max(lastUsedAt, now)
      if (now - recordedAt < recordIntervalMs) return false
      recordedAt = now
      return true
    },
  }
}
