import type { TokenOfAccount } from '#shared/data/tokens/tokens.ts'
import { compilePermissions } from '#shared/domain/access/compiled-rules.ts'
import { tokenLastUsedIntervalMs } from '#shared/domain/limits.ts'
import type { LimitsOfAccounts } from '#shared/domain/plan/plan.ts'
import { addressSet } from '#shared/net/cidr.ts'
import type { TokenPrincipal } from '../../request/principal.ts'

/** An API token, prepared for checks on every request: rules compiled, networks parsed, once per look-up. */
export type CachedToken = {
  /** The principal of every request, without its time. */
  principal: Omit<TokenPrincipal, 'askedAt'>
  /** Why the token may not be used at this time (epoch milliseconds) from this address, as a sentence for its owner; null: it may. */
  rejection(now: number, clientAddress: string): string | null
  /** Registers a use (epoch milliseconds). @returns whether it must be recorded */
  use(now: number): boolean
}

/** @param accounts the limits of price plans */
export function cachedToken(
  stored: TokenOfAccount | null,
  { limitsOf, ratesOf }: LimitsOfAccounts,
): CachedToken | null {
  if (!stored) return null
  const { id, accountId, activated, locked, expiresAt, ips, rateLimit: perMinute, tags: tokenTags } = stored
  const [limits, rates] = [limitsOf(stored.plan), ratesOf(stored.plan)]
  const isAddressAllowed = ips === null ? anyAddress : addressSet(`ips of API token ${id}`, ips)
  const permissions = compilePermissions(stored.permissions, stored.ruleIndexes)
  const actor = { authMode: 'token', tokenId: id, identityId: null } as const
  let recordedAt = stored.lastUsedAt ?? 0
  return {
    principal: {
      mode: 'token',
      accountId,
      limits,
      rates,
      tokenId: id,
      tokenTags,
      perMinute,
      permissions,
      identity: null,
      actor,
    },
    rejection(now, clientAddress) {
      if (!activated) return 'The API token is deactivated.'
      if (locked) return 'The API token is locked.'
      if (expiresAt !== null && now >= expiresAt) return 'The API token has expired.'
      return isAddressAllowed(clientAddress) ? null : `The API token may not be used from ${clientAddress}.`
    },
    use(now) {
      if (now - recordedAt < tokenLastUsedIntervalMs) return false
      recordedAt = now
      return true
    },
  }
}

const anyAddress = () => true
