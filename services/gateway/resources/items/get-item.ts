import type { Deps } from '../../context.ts'
import type { KnownCaller } from '../../request/principal.ts'
import { listChanged, withList } from '../lists/with-list.ts'
import type { ItemResult } from './create-item.ts'
import { findItem, visibleList } from './load-item.ts'

/**
 * Reads an item by id or alias.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED
 */
export function getItem(
  deps: Deps,
  { caller, list, item }: { caller: KnownCaller; list: string; item: string },
): Promise<ItemResult> {
  return withList(deps.lists, { accountId: caller.accountId, ref: list }, async (found) => {
    const config = visibleList(found, { caller, action: 'view' })
    const read = await findItem(deps, config, { caller, list, item, action: 'view' })
    return read === listChanged ? listChanged : { item: read, config }
  })
}
