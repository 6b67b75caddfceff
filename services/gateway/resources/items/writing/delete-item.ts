import type { Item } from '#shared/domain/item/item.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { noWords } from '#shared/domain/search/item-words.ts'
import { AppError } from '#shared/errors.ts'
import type { ItemDeps, ItemResult } from '../context.ts'
import type { ItemMutation } from './commit-item.ts'
import { type ItemModification, modifyItem } from './modify-item.ts'

/**
 * Deletes an item and returns its last state (contract 2.2).
 * @throws the errors of `modifyItem`, ITEM_READONLY
 */
export function deleteItem(deps: ItemDeps, request: Omit<ItemModification, 'action'>): Promise<ItemResult> {
  return modifyItem(deps, { ...request, action: 'delete' }, (before) => computeDeletion(deps, before))
}

/** @throws ITEM_READONLY */
export function computeDeletion(deps: ItemDeps, before: Item): ItemMutation {
  if (before.readonly) throw new AppError('ITEM_READONLY')
  return { before, after: null, indexValues: [], words: noWords, at: laterThan(before, deps.now()) }
}
