import { authorize } from '#services/gateway/auth/authorize.ts'
import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { findIdentityByRef, type GroupedIdentity } from '#shared/data/identities/identities.ts'
import type { Action } from '#shared/domain/access/permission-rule.ts'
import type { IdentityDeps } from '../context.ts'

/** A request that names an identity. */
export type IdentityRequest = {
  principal: AuthenticatedPrincipal
  /** Its id, or `group/name`; `/name` in the ungrouped space. */
  identity: string
}

/**
 * The current identity of a request.
 * @throws REQUESTED_ENTITY_NOT_FOUND or TOKEN_NOT_AUTHORIZED, as `authorize` decides
 */
export async function getIdentity(
  { db }: Pick<IdentityDeps, 'db'>,
  { principal, identity: ref }: IdentityRequest,
  action: Action,
): Promise<GroupedIdentity> {
  const found = await findIdentityByRef(db, principal.accountId, ref)
  if (!found) throw notFoundOrForbidden(principal, action, 'identity')
  const { id, group } = found.identity
  authorize(principal, { action, resourceType: 'identity', identityId: id, group })
  return found
}
