import { isAllowed } from '#services/gateway/auth/authorize.ts'
import { notFoundOrForbidden } from '#services/gateway/auth/not-found.ts'
import { visibilityFor, visibleItemsFor } from '#services/gateway/auth/visibility.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import { isEmpty } from '#shared/data/item-pages/total.ts'
import { AppError } from '#shared/errors.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/**
 * Throws unless this principal may list and search the items. When the rules let it see none, the list does not exist for it, unless it may
 * see the list itself.
 * @throws TOKEN_NOT_AUTHORIZED, REQUESTED_ENTITY_NOT_FOUND
 */
export async function assertListed(
  deps: Pick<ItemDeps, 'db'>,
  config: Pick<ListConfig, 'list' | 'indexes'>,
  principal: ItemPrincipal,
): Promise<void> {
  const { list } = config
  const { kind } = visibilityFor(principal, ruledList(config))
  const seesList = isAllowed(principal, { action: 'view', resourceType: 'list', listId: list.id })
  if (kind === 'none')
    throw seesList ? new AppError('TOKEN_NOT_AUTHORIZED') : notFoundOrForbidden(principal, 'view', 'item')
  // All items that the rules name may be in other lists.
  if (kind === 'byId' && !seesList) {
    const seen = visibleItemsFor(principal, ruledList(config), 'any')
    if (!seen || (await isEmpty(deps.db, seen))) throw notFoundOrForbidden(principal, 'view', 'item')
  }
  if (principal.mode === 'token' && !list.indexable) {
    throw new AppError('TOKEN_NOT_AUTHORIZED', { message: 'Tokens cannot list or search the items of this list.' })
  }
}
