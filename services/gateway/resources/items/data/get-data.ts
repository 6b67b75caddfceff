import { isGuarded, removePointers } from '#shared/domain/item/guard.ts'
import { AppError } from '#shared/errors.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import { getItem, type ItemQuery } from '../reading/get-item.ts'
import { hiddenPointers } from '../reading/serialize.ts'

/**
 * Reads the text of the value at a pointer in an item's data (contract 2.2).
 * @throws the errors of `getItem`, POINTER_NOT_FOUND
 */
export async function getData(
  deps: ItemDeps,
  request: ItemQuery & { pointer: string; includeGuarded: boolean },
): Promise<ItemResult & { text: string }> {
  const { pointer, principal, includeGuarded } = request
  const result = await getItem(deps, request)
  const hidden = hiddenPointers(result, { principal, includeGuarded })
  const text = findSeen(removePointers(result.item.data, hidden), pointer, hidden)
  if (text === null) throw new AppError('POINTER_NOT_FOUND')
  return { ...result, text }
}

/** The text of the value at a pointer in data without its hidden values; null when there is no visible value. */
export function findSeen(data: string, pointer: string, hidden: readonly string[]): string | null {
  return isGuarded(pointer, hidden) ? null : findAt(data, pointer)
}
