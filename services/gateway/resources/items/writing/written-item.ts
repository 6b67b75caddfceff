import { seesState, viewsByConditions } from '#services/gateway/auth/item-states.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { type ListConfig, ruledList } from '../../lists/list-cache.ts'
import type { ItemResult } from '../context.ts'

/**
 * The item after a write, for its caller: without its data if conditions of rules let the caller write it but not view it.
 * @param now the current state of the item, if it has changed since; null: it was deleted. Both states must be visible.
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
