import { seesState, viewsByConditions } from '#services/gateway/auth/item-states.ts'
import type { AuthenticatedPrincipal } from '#services/gateway/request/principal.ts'
import { findVersionSnapshot } from '#shared/data/events/event-log.ts'
import { itemFromSnapshot } from '#shared/domain/item/snapshot.ts'
import { keptItemVersions } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { ruledList } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { assertVisibleList, loadItem } from './load-item.ts'

export type ItemQuery = {
  principal: AuthenticatedPrincipal
  list: string
  item: string
  /** Reads the newest state with this version instead of the current state. */
  version?: string | undefined
}

/**
 * Reads an item by id or alias (contract 2.2).
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, ITEM_VERSION_NOT_RETAINED
 */
export function getItem(deps: ItemDeps, { version, ...query }: ItemQuery): Promise<ItemResult> {
  const { principal, list } = query
  return withList(deps.lists, { accountId: principal.accountId, ref: list }, async (found) => {
    const config = assertVisibleList(found, { principal, action: 'view' })
    const item = await loadItem(deps, config, { ...query, action: 'view' })
    if (version === undefined || version === item.version) return { item, config }
    const kept = principal.limits?.maxItemVersions ?? keptItemVersions
    const earlier = await findVersionSnapshot(deps.db, item, version, kept)
    const then = earlier && itemFromSnapshot(earlier, item)
    // A state that conditions of rules hide is reported like one that is not kept.
    const list = ruledList(config)
    const isHidden = then && viewsByConditions(principal, list.id) && !seesState(principal, list, then)
    if (!then || isHidden) throw new AppError('ITEM_VERSION_NOT_RETAINED')
    return { item: then, config }
  })
}
