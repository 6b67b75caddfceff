import { setAt } from '#shared/json/edit/at-pointer.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { type DataModification, modifyData } from './modify-data.ts'

/**
 * Replaces the value at a pointer, or adds it to the object or array that would hold it (contract 2.2).
 * @param request.value the text of the new value
 * @throws the errors of `modifyData`
 */
export function replaceData(deps: ItemDeps, request: DataModification & { value: string }): Promise<ItemResult> {
  return modifyData(deps, request, ({ data }) => setAt(data, request.pointer, request.value))
}
