import { AppError } from '#shared/errors.ts'
import type { Deps } from '../../context.ts'
import { changeTime } from './commit-item.ts'
import type { ItemResult } from './create-item.ts'
import { changeItem, type ItemChangeRequest } from './modify-item.ts'

/**
 * Deletes an item and answers it as it was (contract 2.2).
 * @throws what `changeItem` throws, ITEM_READONLY
 */
export function deleteItem(deps: Deps, request: Omit<ItemChangeRequest, 'action'>): Promise<ItemResult> {
  return changeItem(deps, { ...request, action: 'delete' }, (before) => {
    if (before.readonly) throw new AppError('ITEM_READONLY')
    return { after: null, indexValues: [], at: changeTime(deps, before) }
  })
}
