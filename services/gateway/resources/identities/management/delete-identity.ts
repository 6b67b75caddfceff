import { revokeIdentity } from '#services/gateway/auth/revocation.ts'
import { announcing } from '#shared/data/events/events.ts'
import { removeIdentity } from '#shared/data/identities/identity-changes.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'
import { getIdentity, type IdentityRequest } from './load-identity.ts'

/** Deletes an identity on behalf of the account. @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED */
export async function deleteIdentity(deps: IdentityDeps, request: IdentityRequest): Promise<void> {
  const { accountId, actor } = request.principal
  const { id: identityId } = (await getIdentity(deps, request, 'delete')).identity
  const removal = { accountId, identityId, actor, eventId: deps.newId() }
  const isRemoved = await announcing(deps).transaction((tx) => removeIdentity(tx, removal))
  if (!isRemoved) throw new AppError('REQUESTED_ENTITY_NOT_FOUND')
  revokeIdentity(deps, identityId)
}
