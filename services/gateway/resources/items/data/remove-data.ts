import { shiftsGuarded } from '#shared/domain/item/guard-patch.ts'
import { validationFailed } from '#shared/errors.ts'
import { removeAt } from '#shared/json/edit/at-pointer.ts'
import { JsonEdit } from '#shared/json/edit/edit.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { type DataModification, modifyData } from './modify-data.ts'

/**
 * Removes the value at a pointer (contract 2.2).
 * @throws the errors of `modifyData`, VALIDATION_FAILED for the empty pointer and for an element whose removal would move a guarded value
 */
export async function removeData(deps: ItemDeps, request: DataModification): Promise<ItemResult> {
  const { pointer } = request
  if (pointer === '') throw validationFailed([{ path: 'pointer', message: 'is required: name the value to remove' }])
  return modifyData(deps, request, ({ data, guards }) => {
    if (shiftsGuarded(new JsonEdit(data), pointer, guards)) {
      throw validationFailed([{ path: 'pointer', message: 'would move a value that you cannot see' }])
    }
    return removeAt(data, pointer)
  })
}
