import { seesState, viewsByConditions } from '#services/gateway/auth/item-states.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import type { ItemResult } from '../context.ts'

/**
 * The item that a write left, for its caller: without its data where conditions of rules let it be written and not be viewed.
 * @param now the state of the item where that is another one, null: it is gone; both have to be visible
 */
export function writtenItem(
  principal: ItemPrincipal,
  config: ListConfig,
  item: Item,
  now: Item | null = item,
): ItemResult {
  const list = ruledList(config)
  if (!viewsByConditions(principal, list.id)) return { item, config }
  const isShown = [item, now].every((state) => state !== null && seesState(principal, list, state))
  return { item, config, ...(!isShown && { dataHidden: true }) }
}
