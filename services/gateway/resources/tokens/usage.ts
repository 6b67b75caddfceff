import type { Database } from '#shared/data/database.ts'
import { readStoredBytes } from '#shared/data/items/stored-bytes.ts'
import { allowsEverything } from '#shared/domain/access/permissions.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'

/** The use of a price plan on the wire: null is not counted. The bytes would tell a token of items that it does not see. */
export async function readUsage({ db }: { db: Database }, principal: AuthenticatedPrincipal) {
  const seesAll = principal.mode === 'user' || allowsEverything(principal.permissions)
  return {
    periodStart: null,
    periodEnd: null,
    requestCount: null,
    blockedCount: null,
    requestAllowance: null,
    requestsRemaining: null,
    overdraftAllowance: null,
    credits: null,
    storageBytes: seesAll ? await readStoredBytes(db, principal.accountId) : null,
    storageAllowance: principal.limits?.maxStorageBytes ?? null,
    degraded: null,
  }
}
