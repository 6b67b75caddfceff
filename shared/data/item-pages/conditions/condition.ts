import type { KeySet } from '#shared/domain/item/questions/key-filter.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { RowsWithAny, Sql } from '../../dialect.ts'
import { raw, sql } from '../../sql/sql.ts'

/**
 * One condition of a set, in the three forms in which statements use it: as a predicate on an item that is already found, as a query
 * of candidates, and as index ranges in page order.
 */
export type Condition = {
  /** The condition for the item whose id is in a column. @param id the column */
  predicate(id: string): Sql
  /**
   * Selects the `id` of every item of the list that meets the condition, and perhaps of items in other lists; null: these may be most
   * of the list, or only the ranges find them. Without index ranges, no id occurs twice. In a branch of `anyOf`, it also selects a `k`
   * after the id, as ranges do.
   */
  candidates: Sql | null
  /**
   * The indexes, by their `valuesId`, whose array elements the predicate reads, each as many times as it reads them; absent: no index.
   */
  looksThrough?: readonly string[]
  /** The same items as ranges of an index; null: no index has them. */
  indexRanges: ItemRanges | null
  /** The index in which the items have a value, by its `valuesId`; absent: the condition requires no value. */
  index?: string
  /** Whether all entries of the index have to be read to find the items in the ranges. */
  scans?: boolean
  /** The parts of texts to find in the entries of an index, where all entries would have to be read. */
  parts?: { indexId: string; texts: readonly TextFilter[] }
  /** The items in order of creation; absent: no index has that order, or too many ranges would be merged. */
  byCreation?: RangesByCreation
  /** The ranges in the order of an index's values; absent: no index has that order, or too many ranges would be merged. */
  valueRanges?: ValueRanges
  /** The items are those of a period of time. */
  times?: TimeRange
  /** The items have no value in this index, by its `valuesId`. */
  lacks?: string
  /** Conditions that find the items together: each item is found by at least one of these branches. */
  anyOf?: readonly Condition[]
  /** Whether `anyOf` finds no other items, so that they need not be checked. */
  isExact?: boolean
  /** Whether the candidates and ranges also contain other items: the predicate decides. Only branches of `anyOf` have this. */
  isBroader?: boolean
}

/** Items of a period of time, both ends included; null: no bound. */
export type TimeRange = { column: 'created_at' | 'updated_at'; min: number | null; max: number | null }

/**
 * Ranges of rows `x`. The index begins with the columns of a prefix and the flags; in `items` and `item_tags`, the time of creation
 * follows. No item is in two ranges.
 */
export type ItemRanges = {
  table: 'items' | 'item_tags' | 'index_values' | 'index_elements'
  id: 'id' | 'item_id'
  prefixes: readonly Sql[]
  /** The rows also have one of these values, in the column that follows the flags in the index. */
  anyOf?: Pick<RowsWithAny, 'columns' | 'column' | 'values'>
}

/** Ranges, each in order of creation. An item may have rows in several ranges. */
export type RangesByCreation = Omit<ItemRanges, 'anyOf'> & {
  /** A column, and the condition on it by which a row `f` is the one of its item's rows that counts; absent: an item has one row. */
  distinct?: { column: string; counts: Sql }
}

/** The entries of one index to read in the order of its values. */
export type ValueRanges = {
  indexId: string
  keys: KeySet
}

/**
 * The condition that a table has a row of an item that meets a condition. It uses `count(*) > 0` instead of EXISTS, because MySQL and
 * Postgres turn EXISTS into a join and start it from the wrong table. An item has few such rows.
 */
export function existsIn(table: string, key: string, id: string, passes: Sql): Sql {
  return sql`(select count(*) from ${raw(`${table} where ${key} = ${id}`)} and ${passes}) > 0`
}

/** The indexes whose array elements the predicates of all these conditions read. */
export function lookedThrough(conditions: readonly Condition[]): readonly string[] {
  return conditions.flatMap(({ looksThrough = [] }) => looksThrough)
}

/** One prefix for each value; without values one that matches no row. */
export function prefixesOf(values: readonly string[], prefixOf: (value: string, n: number) => Sql): Sql[] {
  return values.length === 0 ? [noRow] : values.map(prefixOf)
}

export const noRow = raw('1 = 0')
