import { Conflict } from '#shared/data/conflict.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import { noteArrays } from '#shared/data/lists/array-indexes.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { ItemDeps } from '../context.ts'

/**
 * Marks the indexes that get elements of an array for the first time.
 * @throws Conflict when an index was marked: the change is then computed again
 */
export async function markArrayIndexes(
  { db }: Pick<ItemDeps, 'db'>,
  { list, indexes }: ListConfig,
  changes: readonly Pick<ItemChange, 'indexValues'>[],
): Promise<void> {
  const holding = changes.flatMap(({ indexValues }) => indexValues.filter(({ elements }) => elements !== undefined))
  if (holding.length === 0) return
  const held = new Set(holding.map(({ indexId }) => indexId))
  const valuesIds = indexes
    .filter(({ arrays, valuesId }) => !arrays && held.has(valuesId))
    .map((index) => index.valuesId)
  if (valuesIds.length === 0) return
  await noteArrays(db, { listId: list.id, valuesIds })
  throw new Conflict('list')
}
