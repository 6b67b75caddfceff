import { type ItemVisibility, itemVisibility } from '#shared/domain/item/ownership.ts'
import type { AuthenticatedPrincipal } from '../request/principal.ts'

/**
 * Which items of a list a principal sees: all, none, only those whose `identity_id` is its own, or, where rules name items,
 * those in either selection of `byId`.
 */
export type Visibility =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }

/** The items of a list that a page, search or count may include for this principal (contract 1.2). */
export function visibilityFor(principal: AuthenticatedPrincipal, listId: string): Visibility {
  if (principal.mode === 'user') return { kind: 'all' }
  const { regardlessOfOwner, owned } = itemVisibility(principal, listId)
  if (regardlessOfOwner.except.length > 0) return { kind: 'byId', byId: { regardlessOfOwner, owned } }
  if (regardlessOfOwner.rest) return { kind: 'all' }
  if (owned && owned.except.length > 0) return { kind: 'byId', byId: { regardlessOfOwner, owned } }
  return owned?.rest ? { kind: 'own', identityId: owned.identityId } : { kind: 'none' }
}
