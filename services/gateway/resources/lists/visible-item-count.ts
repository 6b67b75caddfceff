import { visibleTotal } from '#shared/data/item-pages/total.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { viewsByConditions } from '../../auth/item-states.ts'
import { visibleItemsFor } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'

/** A list as a principal may see it; `itemCount` null: the items that the principal sees are not counted. */
export type ShownList = Omit<List, 'itemCount'> & { itemCount: number | null }

/** A list as this principal may see it: `itemCount` counts the items that a page without filters shows it (contract 1.2). */
export async function withVisibleItemCount(
  { db }: Pick<ListDeps, 'db'>,
  principal: AuthenticatedPrincipal,
  list: List,
): Promise<ShownList> {
  if (principal.mode === 'user') return list
  return { ...list, itemCount: await countFor(db, principal, list) }
}

/** @returns null if conditions of rules decide: the number of items to examine would be unbounded */
async function countFor(db: ListDeps['db'], principal: AuthenticatedPrincipal, list: List): Promise<number | null> {
  const { id, itemCount: items, deactivatedCount: deactivated } = list
  if (viewsByConditions(principal, id)) return null
  const set = visibleItemsFor(principal, { id, indexes: [] })
  return set ? visibleTotal(db, set, { items, deactivated }) : 0
}
