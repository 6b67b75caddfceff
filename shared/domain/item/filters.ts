import type { PrefixedKind } from '../text/filter-prefixes.ts'

// The names of filters and orders in pages of items, `where`, flows, webhooks and the dashboard (contract 1.3 and 1.4). The client has its
// own table, which a test compares with this one.

/**
 * A filter on items: the kind of its values, which determines its prefixes, and its options. An option determines how the words of `search`
 * next to it match.
 */
type ItemFilter = {
  kind: PrefixedKind | 'flag' | 'tags' | 'words' | 'option' | 'self'
  /** The filter is on a field of the item. */
  isField?: true
  /** Items may have no value; `null` finds these. */
  optional?: true
  /** The parameter may be repeated; all must hold. */
  repeats?: true
  /** The parameter has a word for both values of the flag. */
  both?: string
}

/** The filters that every list has, by name in parameters and `where`, in the order in which clients see them. */
export const itemFilters = {
  id: { kind: 'id', isField: true },
  alias: { kind: 'text', optional: true },
  readonly: { kind: 'flag', isField: true },
  activated: { kind: 'flag', isField: true, both: 'any' },
  identityId: { kind: 'id', isField: true, optional: true },
  mine: { kind: 'self' },
  tagged: { kind: 'tags', isField: true, optional: true, repeats: true },
  createdAt: { kind: 'date', isField: true, repeats: true },
  updatedAt: { kind: 'date', isField: true, repeats: true },
  version: { kind: 'text', isField: true, repeats: true },
  size: { kind: 'number', isField: true, repeats: true },
  search: { kind: 'words' },
  prefix: { kind: 'option' },
  match: { kind: 'option' },
} as const satisfies Record<string, ItemFilter>

type ItemFilters = typeof itemFilters
export type ItemFilterName = keyof ItemFilters
/** The filters on fields, or those of some kinds. */
export type FilteredField<Kind extends ItemFilter['kind'] = ItemFilter['kind']> = {
  [Name in ItemFilterName]: ItemFilters[Name] extends { isField: true; kind: Kind } ? Name : never
}[ItemFilterName]

export const itemFilterNames = Object.keys(itemFilters) as readonly ItemFilterName[]

/** The query parameters that filter items, except for filters on indexes. `where` contains conditions with the other names. */
export const filterParameters = [...itemFilterNames, 'where'] as const

export function isItemFilter(name: string): name is ItemFilterName {
  return Object.hasOwn(itemFilters, name)
}

export function isFilteredField(name: string): name is FilteredField {
  return isItemFilter(name) && 'isField' in itemFilters[name]
}

export function isSearchOption(name: string): name is 'prefix' | 'match' {
  return isItemFilter(name) && itemFilters[name].kind === 'option'
}

/** The filter that finds items without a value. */
export const withoutValue = 'null'

/** The orders of pages of items, in addition to indexes, with their default directions. */
export const itemOrders = {
  createdAt: 'desc',
  updatedAt: 'desc',
  size: 'asc',
  readonly: 'desc',
  activated: 'desc',
  locked: 'desc',
} as const satisfies Record<string, 'asc' | 'desc'>

export type ItemOrder = keyof typeof itemOrders
export const itemOrderNames = Object.keys(itemOrders) as readonly ItemOrder[]
export const defaultOrder = 'createdAt' satisfies ItemOrder

export function isItemOrder(order: string): order is ItemOrder {
  return Object.hasOwn(itemOrders, order)
}

/** The error of an order that names neither a field nor an index. */
export const unknownOrder = `must be one of ${itemOrderNames.join(', ')}, or an index of the list`
