import { isAllowedForAny } from '#services/gateway/auth/authorize.ts'
import { sealingOf } from '#services/gateway/auth/cursor-sealing.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import type { GroupedIdentity } from '#shared/data/identities/identities.ts'
import { type IdentityPageRequest, type IdentitySet, readIdentityPage } from '#shared/data/identities/identity-page.ts'
import type { Page } from '#shared/data/pages/page.ts'
import { selectIdentities } from '#shared/domain/access/selections.ts'
import { AppError } from '#shared/errors.ts'
import type { IdentityDeps } from '../context.ts'

export type IdentityListing = {
  principal: AuthenticatedPrincipal
  filters: IdentitySet['filters']
  request: IdentityPageRequest
}

/** One page of the identities that the principal may view. @throws TOKEN_NOT_AUTHORIZED, VALIDATION_FAILED, QUESTION_TOO_BROAD */
export async function listIdentities(
  { db, sealer }: Pick<IdentityDeps, 'db' | 'sealer'>,
  { principal, filters, request }: IdentityListing,
): Promise<Page<GroupedIdentity>> {
  const { accountId } = principal
  const visible = visibleIdentities(principal)
  const sealing = visible && sealingOf(sealer, { accountId, rows: 'identities' })
  return readIdentityPage(db.long, { accountId, visible, filters }, { ...request, ...(sealing && { sealing }) })
}

/** Null: all of them. @throws TOKEN_NOT_AUTHORIZED when no rule could ever let the token view an identity */
function visibleIdentities(principal: AuthenticatedPrincipal): IdentitySet['visible'] {
  if (principal.mode === 'user') return null
  const permission = { action: 'view', resourceType: 'identity' } as const
  if (!isAllowedForAny(principal, permission)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  return selectIdentities(principal.permissions, permission)
}
