import { type ItemVisibility, itemVisibility } from '#shared/domain/item/ownership.ts'
import { type IdSelection, selectLists } from '#shared/domain/permissions.ts'
import { AppError } from '#shared/errors.ts'
import type { AuthenticatedPrincipal, TokenPrincipal } from '../request/principal.ts'
import { isAllowedForAny } from './authorize.ts'

/**
 * Which items of a list a principal sees: all, none, only those whose `identity_id` is its own, or, where rules name items,
 * those in either selection of `byId`.
 */
type Visibility =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }

/** The items of a list that a page, search or count may include for this principal (contract 1.2). */
export function visibilityFor(principal: AuthenticatedPrincipal, listId: string): Visibility {
  if (principal.mode === 'user') return { kind: 'all' }
  const visibility = tokenVisibility(principal, listId)
  if (visibility.kind !== 'none') principal.onGranted?.({ action: 'view', resourceType: 'item' })
  return visibility
}

function tokenVisibility(principal: TokenPrincipal, listId: string): Visibility {
  const { regardlessOfOwner, owned } = itemVisibility(principal, listId)
  if (regardlessOfOwner.except.length > 0) return { kind: 'byId', byId: { regardlessOfOwner, owned } }
  if (regardlessOfOwner.rest) return { kind: 'all' }
  if (owned && owned.except.length > 0) return { kind: 'byId', byId: { regardlessOfOwner, owned } }
  return owned?.rest ? { kind: 'own', identityId: owned.identityId } : { kind: 'none' }
}

/**
 * The lists of the account that a page may include for this principal.
 * @throws TOKEN_NOT_AUTHORIZED when no rule could ever let the token view a list
 */
export function visibleLists(principal: AuthenticatedPrincipal): IdSelection {
  if (principal.mode === 'user') return { rest: true, except: [] }
  const permission = { action: 'view', resourceType: 'list' } as const
  if (!isAllowedForAny(principal, permission)) throw new AppError('TOKEN_NOT_AUTHORIZED')
  return selectLists(principal.permissions, permission)
}
