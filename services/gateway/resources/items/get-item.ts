import type { AuthenticatedPrincipal } from '../../request/principal.ts'
import { withList } from '../lists/with-list.ts'
import type { ItemDeps } from './context.ts'
import type { ItemResult } from './create-item.ts'
import { assertVisibleList, loadItem } from './load-item.ts'

/**
 * Reads an item by id or alias.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED
 */
export function getItem(
  deps: ItemDeps,
  { principal, list, item }: { principal: AuthenticatedPrincipal; list: string; item: string },
): Promise<ItemResult> {
  return withList(deps.lists, { accountId: principal.accountId, ref: list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    return { item: await loadItem(deps, config, { principal, list, item, action: 'view' }), config }
  })
}
