import { findAt, setAt } from '#shared/json/edit/at-pointer.ts'
import { mergeDeep, mergePatch } from '#shared/json/edit/merge.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { type DataModification, modifyData } from './modify-data.ts'

type DataMerge = DataModification & {
  /** The text of the value to merge. */
  value: string
  /** `deep` merges objects and concatenates arrays, `rfc7396` is a merge patch. */
  mode: 'deep' | 'rfc7396'
}

/**
 * Merges a value into the value at a pointer, or into null if there is none (contract 2.2).
 * @throws the errors of `modifyData`
 */
export function mergeData(deps: ItemDeps, { value, mode, ...request }: DataMerge): Promise<ItemResult> {
  const merge = mode === 'deep' ? mergeDeep : mergePatch
  return modifyData(deps, request, ({ data }) => {
    const present = findAt(data, request.pointer) ?? 'null'
    return setAt(data, request.pointer, merge(present, value))
  })
}
