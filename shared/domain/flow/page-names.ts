import type { AppError } from '../../errors.ts'
import { isItemFilter, isItemOrder, unknownOrder } from '../item/filters.ts'
import { hiddenSize } from '../item/guard.ts'
import { unknownCondition } from '../item/questions/where-leaf.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { indexNamed, visibleNames } from '../list/index-names.ts'
import { indexNotUsable } from '../list/index-not-usable.ts'
import { guardPointers } from '../list/index-settings.ts'
import { pathNameKey } from '../path-name.ts'
import { isSearched, nothingSearched } from '../search/searched.ts'
import type { FoundNode } from './language/nodes.ts'
import type { Place } from './language/read-value.ts'
import { writtenConditions } from './language/where-names.ts'

/**
 * Warns about names in `where` and `order` that the lists do not support now. Not an error, because an index may be added later.
 * @param indexes the indexes of lists, by list key (`pathNameKey`)
 */
export function addUnservedNames(
  nodes: readonly FoundNode[],
  indexes: ReadonlyMap<string, readonly ListIndex[]>,
): void {
  for (const { node, place } of nodes) {
    if (node?.type !== 'list-items') continue
    const ofList = indexes.get(pathNameKey(node.list))
    if (!ofList) continue
    const where = place.at('where')
    const isHidden = !node.guarded && guardPointers(ofList).length > 0
    for (const { name, group } of writtenConditions(node.where).written)
      addUnservedCondition({ place: where.at(group?.key ?? name), at: group?.at, name, isHidden }, ofList)
    if (node.order === 'size' && isHidden) place.at('order').warning('INDEX_NOT_USABLE', hiddenSizes.order)
    else if (node.order !== null) addUnservedOrder(place.at('order'), node.order, ofList)
  }
}

/** A condition. `isHidden`: the node may not ask for sizes. `at`: for a condition in a group, its offset in the text at `place`. */
type Condition = { place: Place; at: number | undefined; name: string; isHidden: boolean }

const hiddenSizes = hiddenSize('nodes that are not guarded')

function addUnservedCondition({ place, at, name, isHidden }: Condition, indexes: readonly ListIndex[]): void {
  // A condition in a group is reported at the place of the group.
  const who = at === undefined ? '' : `has the condition ${JSON.stringify(name)}, which `
  if (name === 'search' && !indexes.some(isSearched)) addUnusable(place, nothingSearched(), { who, at })
  if (name === 'alias' && !indexes.some(({ alias, activated }) => alias && activated))
    place.warning('UNKNOWN_INDEX', `${who}is not known: the list has no alias index`, at)
  if (name === 'size' && isHidden) place.warning('INDEX_NOT_USABLE', `${who}${hiddenSizes.condition}`, at)
  if (isItemFilter(name)) return
  const index = indexNamed(indexes, name)
  if (index) addUnusable(place, indexNotUsable(index, 'filtering'), { who, at })
  else place.warning('UNKNOWN_INDEX', `${who}${place.mayHint ? unknownCondition(indexes, name) : 'is not known'}`, at)
}

function addUnservedOrder(place: Place, order: string, indexes: readonly ListIndex[]): void {
  if (isItemOrder(order)) return
  const index = indexNamed(indexes, order)
  if (index) addUnusable(place, indexNotUsable(index, 'sorting'))
  else place.warning('UNKNOWN_INDEX', `${unknownOrder}${place.hint(order, visibleNames(indexes))}`)
}

function addUnusable(
  place: Place,
  error: AppError | null,
  { who, at }: { who: string; at: number | undefined } = { who: '', at: undefined },
): void {
  if (error) place.warning('INDEX_NOT_USABLE', `${who}cannot be used: ${error.message}`, at)
}
