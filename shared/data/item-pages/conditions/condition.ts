import type { KeySet } from '#shared/domain/item/questions/key-filter.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { RowsWithAny, Sql } from '../../dialect.ts'
import { raw, sql } from '../../sql/sql.ts'

/**
 * One condition of a set, in the three forms in which statements use it: as a predicate on an item found otherwise, as a query of
 * candidates, and as index ranges in page order.
 */
export type Condition = {
  /** The condition for the item whose id a column holds. @param id the column */
  predicate(id: string): Sql
  /**
   * Selects the `id` of every item of the list that meets the condition, and perhaps of items in other lists; null: that may
   * be most of the list, or they are found by the ranges only. Without index ranges no id comes twice. As one of several conditions
   * that find items it selects a `k` behind the id, like ranges.
   */
  candidates: Sql | null
  /**
   * The indexes, by their `valuesId`, whose elements of arrays the predicate looks through, each as often as it does so; absent: none.
   */
  looksThrough?: readonly string[]
  /** The same items as ranges of an index; null: no index has them. */
  indexRanges: ItemRanges | null
  /** The index in which the items have a value, by its `valuesId`; absent: no index is asked. */
  index?: string
  /** Whether the ranges have those items among all entries of the index, which are read to find them. */
  scans?: boolean
  /** The parts of texts that the entries of an index have, where all of them have to be looked through. */
  parts?: { indexId: string; texts: readonly TextFilter[] }
  /** The items in order of creation; absent: no index has that order, or too many ranges would be merged. */
  byCreation?: RangesByCreation
  /** The ranges in the order of an index's values; absent: no index has that order, or too many ranges would be merged. */
  valueRanges?: ValueRanges
  /** The items are those of a stretch of time. */
  times?: TimeRange
  /** The items have no value in this index, by its `valuesId`. */
  lacks?: string
  /** What finds the items, where each is found by one of several conditions at least. */
  anyOf?: readonly Condition[]
  /** These find no other item, so that none needs to be checked. */
  isExact?: boolean
  /** What finds the items finds others, too: the predicate decides. Only one of several conditions is like this. */
  isBroader?: boolean
}

/** Items of a stretch of time, both ends included; null: without an end. */
export type TimeRange = { column: 'created_at' | 'updated_at'; min: number | null; max: number | null }

/**
 * Ranges of rows `x`: the index has the columns of a prefix and the flags, and those of `items` and `item_tags` have the time
 * of creation behind them. No item is in two ranges.
 */
export type ItemRanges = {
  table: 'items' | 'item_tags' | 'index_values' | 'index_elements'
  id: 'id' | 'item_id'
  prefixes: readonly Sql[]
  /** The rows have one of these values, too, in the column that the index has behind the flags. */
  anyOf?: Pick<RowsWithAny, 'columns' | 'column' | 'values'>
}

/** Ranges in each of which the rows are in order of creation. An item may have rows in several of them. */
export type RangesByCreation = Omit<ItemRanges, 'anyOf'> & {
  /** A column by which a row `f` is known to be the one that counts of its item's rows; absent: an item has one row. */
  distinct?: { column: string; counts: Sql }
}

/** The entries of one index to read in the order of its values. */
export type ValueRanges = {
  indexId: string
  keys: KeySet
}

/**
 * The condition that a table has a row of an item that meets a condition. It uses `count(*) > 0` instead of EXISTS, because
 * MySQL and Postgres turn EXISTS into a join and start it from the wrong table. An item has only few such rows.
 */
export function existsIn(table: string, key: string, id: string, passes: Sql): Sql {
  return sql`(select count(*) from ${raw(`${table} where ${key} = ${id}`)} and ${passes}) > 0`
}

/** What the predicates of conditions look through together. */
export function lookedThrough(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap(({ looksThrough = [] }) => looksThrough)
}

/** One prefix for each value; without values one that matches no row. */
export function prefixesOf(values: readonly string[], prefixOf: (value: string, n: number) => Sql): Sql[] {
  return values.length === 0 ? [noRow] : values.map(prefixOf)
}

export const noRow = raw('1 = 0')
