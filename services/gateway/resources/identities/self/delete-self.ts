import { revokeIdentity } from '#services/gateway/auth/revocation.ts'
import { announcing } from '#shared/data/events/events.ts'
import { removeIdentity } from '#shared/data/identities/identity-changes.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import type { ActingIdentity } from './acting-identity.ts'

/**
 * Deletes an identity at its own request. Its sessions have ended on this gateway before the response.
 * @throws IDENTITY_NOT_AUTHENTICATED when it no longer exists
 */
export async function deleteSelf(deps: IdentityDeps, acting: ActingIdentity): Promise<void> {
  const removal = { ...acting, eventId: deps.newId() }
  const isRemoved = await announcing(deps).transaction((tx) => removeIdentity(tx, removal))
  if (!isRemoved) throw new AppError('IDENTITY_NOT_AUTHENTICATED')
  revokeIdentity(deps, acting.identityId)
}
