import { type EntityTags, matchesRevision, matchFailed } from '#services/gateway/request/entity-tags.ts'
import type { ItemPrincipal } from '#services/gateway/request/principal.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { longStepBytes } from '#shared/domain/limits.ts'
import { AppError } from '#shared/errors.ts'
import { untilLoopIsFree } from '#shared/time/time-slices.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import { withList } from '../../lists/with-list.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { assertVisibleList, type ItemRequest, loadItem } from '../reading/load-item.ts'
import { changeItems } from './change-items.ts'
import { type Author, commitItem, type ItemMutation } from './commit-item.ts'
import { writtenItem } from './written-item.ts'

export type ItemModification = ItemRequest & Author & { ifMatch: EntityTags | undefined }

/** The change of an item, computed from its current state. */
type ComputeChange = (before: Item, config: ListConfig) => ItemMutation | Promise<ItemMutation>

/**
 * Changes an existing item: loads it, checks the rules for every change, computes the next state and commits that. After a
 * concurrent change it starts over with the item's new state.
 * @throws REQUESTED_ENTITY_NOT_FOUND, TOKEN_NOT_AUTHORIZED, ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED, the errors
 *   of `computeChange`, ITEM_ALIAS_TAKEN, SERVICE_UNAVAILABLE
 */
export function modifyItem(
  deps: ItemDeps,
  request: ItemModification,
  computeChange: ComputeChange,
): Promise<ItemResult> {
  const { principal, requestId, dryRun } = request
  return withList(deps.lists, { accountId: principal.accountId, ref: request.list }, async (found) => {
    const config = assertVisibleList(found, request)
    return changeItems(deps, config, [request.item], async (willChange) => {
      const before = await loadItem(deps, config, request)
      willChange(before.id)
      assertChangeAllowed(config, before, request)
      if (before.size > longStepBytes) await untilLoopIsFree()
      const mutation = await computeChange(before, config)
      const item = await commitItem(deps, config, { ...mutation, principal, requestId, dryRun })
      return writtenItem(principal, config, item)
    })
  })
}

/** @throws ITEM_PRECONDITION_FAILED, LIST_READONLY, ITEM_LOCKED */
export function assertChangeAllowed(
  { list }: ListConfig,
  item: Item,
  { ifMatch, principal }: { ifMatch?: EntityTags | undefined; principal: Pick<ItemPrincipal, 'mode'> },
): void {
  if (ifMatch && !matchesRevision(ifMatch, item.revision)) throw matchFailed('ITEM_PRECONDITION_FAILED', ifMatch)
  if (list.readonly) throw new AppError('LIST_READONLY')
  if (item.locked && principal.mode !== 'user') throw new AppError('ITEM_LOCKED')
}
