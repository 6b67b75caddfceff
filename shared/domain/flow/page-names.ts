import type { AppError } from '../../errors.ts'
import { isGroup } from '../item/where.ts'
import { conditionNames, unknownCondition } from '../item/where-leaf.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { indexNamed, toldNames } from '../list/index-names.ts'
import { indexNotUsable } from '../list/index-not-usable.ts'
import { pathNameKey } from '../list/path-name.ts'
import { isSearched, nothingSearched } from '../search/searched.ts'
import { isOrder, unknownOrder } from './items-in-memory.ts'
import type { FoundNode } from './nodes.ts'
import type { Place } from './read-value.ts'

/**
 * Warns of what `where` and `order` of nodes name and their lists, as they are now, do not serve: an index may come later.
 * @param indexes those of lists, by the keys of these (`pathNameKey`)
 */
export function addUnservedNames(
  nodes: readonly FoundNode[],
  indexes: ReadonlyMap<string, readonly ListIndex[]>,
): void {
  for (const { node, place } of nodes) {
    if (node?.type !== 'list-items') continue
    const ofList = indexes.get(pathNameKey(node.list))
    if (!ofList) continue
    for (const name of node.where?.keys() ?? []) addUnservedCondition(place.at('where').at(name), name, ofList)
    if (node.order !== null) addUnservedOrder(place.at('order'), node.order, ofList)
  }
}

function addUnservedCondition(place: Place, name: string, indexes: readonly ListIndex[]): void {
  if (isGroup(name)) return
  if (name === 'search' && !indexes.some(isSearched)) addUnusable(place, nothingSearched())
  if (conditionNames.includes(name)) return
  const index = indexNamed(indexes, name)
  if (index) addUnusable(place, indexNotUsable(index, 'filtering'))
  else place.warning('UNKNOWN_INDEX', place.mayHint ? unknownCondition(indexes, name) : 'is not known')
}

function addUnservedOrder(place: Place, order: string, indexes: readonly ListIndex[]): void {
  if (isOrder(order)) return
  const index = indexNamed(indexes, order)
  if (index) addUnusable(place, indexNotUsable(index, 'sorting'))
  else place.warning('UNKNOWN_INDEX', `${unknownOrder}${place.hint(order, toldNames(indexes))}`)
}

function addUnusable(place: Place, error: AppError | null): void {
  if (error) place.warning('INDEX_NOT_USABLE', `cannot be used: ${error.message}`)
}
