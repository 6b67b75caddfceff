import type { Database } from '#shared/data/database.ts'
import { readStoredBytes } from '#shared/data/items/stored-bytes.ts'
import { allowsEverything } from '#shared/domain/access/compiled-rules.ts'
import { creditsLeft, isDegraded, monthOf, overdraftOf } from '#shared/domain/plan/rates.ts'
import { isoTime } from '#shared/domain/text/iso-time.ts'
import type { RequestRates } from '../../admission/request-rates.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'

type UsageDeps = { db: Database; rates: Pick<RequestRates, 'used'>; now(): number }

/**
 * The use of a price plan on the wire; null: not counted. A token that is not allowed everything gets null for the stored bytes, which
 * would reveal items that it does not see.
 */
export async function readUsage(deps: UsageDeps, principal: AuthenticatedPrincipal) {
  const seesAll = principal.mode === 'user' || allowsEverything(principal.permissions)
  return {
    ...(await monthUsage(deps, principal)),
    storageBytes: seesAll ? await readStoredBytes(deps.db, principal.accountId) : null,
    storageAllowance: principal.limits?.maxStorageBytes ?? null,
  }
}

/** Requests are counted for accounts whose plan limits them. */
async function monthUsage({ rates: { used }, now }: UsageDeps, { accountId, rates }: AuthenticatedPrincipal) {
  if (!rates) return notCounted
  const { start, end } = monthOf(now())
  const use = await used(accountId)
  const { maxRequestsPerMonth: allowance } = rates
  const isLimited = allowance !== null
  return {
    periodStart: isoTime(start),
    periodEnd: isoTime(end),
    requestCount: use.requests,
    blockedCount: use.blocked,
    requestAllowance: allowance,
    requestsRemaining: isLimited ? Math.max(0, allowance - use.requests) : null,
    overdraftAllowance: isLimited ? overdraftOf(rates) : null,
    credits: isLimited ? creditsLeft(use, rates) : null,
    degraded: isLimited ? isDegraded(use, rates) : null,
  }
}

const notCounted = {
  periodStart: null,
  periodEnd: null,
  requestCount: null,
  blockedCount: null,
  requestAllowance: null,
  requestsRemaining: null,
  overdraftAllowance: null,
  credits: null,
  degraded: null,
}
