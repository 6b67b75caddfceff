import type { PrefixedKind } from '../text/filter-prefixes.ts'

// What pages of items, `where`, flows, webhooks and the dashboard call filters and orders (contract 1.3 and 1.4). The client has a
// table of its own, which a test compares with this one.

/**
 * A filter on items: the kind of its values, which decides its prefixes, and what else it may have. An option says how the words of
 * `search` next to it are meant.
 */
type ItemFilter = {
  kind: PrefixedKind | 'flag' | 'tags' | 'words' | 'option' | 'self'
  /** It is on a field of the item. */
  isField?: true
  /** Items may be without a value; `null` finds them. */
  optional?: true
  /** As a parameter it may be repeated: each has to hold. */
  repeats?: true
  /** As a parameter it has a word for both values of the flag. */
  both?: string
}

/** The filters that every list has, by their names as parameters and in `where`, in the order in which clients see them. */
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

/** The parameters of a query that filter items, except for those on indexes. `where` has conditions of the other names. */
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

/** The filter that finds what has no value. */
export const withoutValue = 'null'

/** What pages of items are ordered by, in addition to indexes, with the direction that each has by default. */
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
