import { visibleTotal } from '#shared/data/item-pages/total.ts'
import type { List } from '#shared/domain/list/fields.ts'
import { visibleItemsFor } from '../../auth/visibility.ts'
import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import type { ListDeps } from './context.ts'

/** A list as this principal may see it: `itemCount` counts the items that a page without filters shows it (contract 1.2). */
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
  const set = visibleItemsFor(principal, id)
  return set ? visibleTotal(db, set, { items, deactivated }) : 0
}
