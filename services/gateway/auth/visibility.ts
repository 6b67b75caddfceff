import { type ItemVisibility, itemSight } from '#shared/domain/item/ownership.ts'
import type { AuthenticatedPrincipal } from '../request/principal.ts'

/**
 * How a principal sees the items of a list: all of them, none, only those whose `identity_id` is its own, or, where rules
 * name items, what the two selections of `picked` let through together.
 */
export type Visibility =
  | { kind: 'all' }
  | { kind: 'none' }
  | { kind: 'own'; identityId: string }
  | { kind: 'picked'; picked: ItemVisibility }

/** What a page, search or count of the list's items may show this principal, and nothing else (contract 1.2). */
export function visibilityFor(principal: AuthenticatedPrincipal, listId: string): Visibility {
  if (principal.mode === 'user') return { kind: 'all' }
  const { anybodys, own } = itemSight(principal, listId)
  if (anybodys.except.length > 0) return { kind: 'picked', picked: { anybodys, own } }
  if (anybodys.rest) return { kind: 'all' }
  if (own && own.except.length > 0) return { kind: 'picked', picked: { anybodys, own } }
  return own?.rest ? { kind: 'own', identityId: own.identityId } : { kind: 'none' }
}
