import { AppError } from '#shared/errors.ts'
import { changeTime } from './commit-item.ts'
import type { ItemDeps, ItemResult } from './context.ts'
import { type ItemModification, modifyItem } from './modify-item.ts'

/**
 * Deletes an item and returns it as it was (contract 2.2).
 * @throws what `modifyItem` throws, ITEM_READONLY
 */
export function deleteItem(deps: ItemDeps, request: Omit<ItemModification, 'action'>): Promise<ItemResult> {
  return modifyItem(deps, { ...request, action: 'delete' }, (before) => {
    if (before.readonly) throw new AppError('ITEM_READONLY')
    return { after: null, indexValues: [], at: changeTime(deps, before) }
  })
}
