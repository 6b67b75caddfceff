import { visibleItems } from '#shared/data/items/item-set.ts'
import { visibleTotal } from '#shared/data/items/item-total.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { visibilityFor } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'

/** A list as this principal may see it: `itemCount` counts only the items that it may view (contract 1.2). */
export async function withVisibleItemCount(
  { db }: Pick<ListDeps, 'db'>,
  principal: AuthenticatedPrincipal,
  list: List,
): Promise<List> {
  if (principal.mode === 'user') return list
  return { ...list, itemCount: await countFor(db, principal, list) }
}

async function countFor(db: ListDeps['db'], principal: AuthenticatedPrincipal, list: List): Promise<number> {
  const { id, itemCount: items, deactivatedCount: deactivated } = list
  const visibility = visibilityFor(principal, id)
  if (visibility.kind === 'none') return 0
  if (visibility.kind === 'all') return items - deactivated
  return visibleTotal(db, visibleItems(id, visibility, true), { items, deactivated })
}
