import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { rowsWithAny, throughIndex } from '../sql/statements.ts'
import type { Condition, ItemRanges } from './conditions/condition.ts'
import type { ItemSet } from './item-set.ts'

// Ranges of an index. The indexes of `items` and `item_tags` begin with a prefix (the list, an owner, a tag), then have the
// two flags, then the time of creation or update. So the rows of one prefix and one combination of flags are one range of the
// index, in page order. A filter that leaves a flag open doubles the ranges, which are merged: nothing is sorted.
// The index of entries has the columns (index, activated, readonly, order key, item). So the entries of one combination of flags are
// in the order of values, and a range of keys, or one key, is a part of them.
// Invariant: an item is in at most one range, so a union of ranges has no duplicates.

/** Rows `x` in ranges, and the conditions that they also have to meet. */
type RowsOf = { ranges: ItemRanges; conditions: readonly Condition[] }

/** All items of the list. */
export function rangesOfList({ listId }: ItemSet): ItemRanges {
  return { table: 'items', id: 'id', prefixes: [sql`list_id = ${listId}`] }
}

/** All entries of an index. */
export function rangesOfIndex(indexId: string): ItemRanges {
  return { table: 'index_values', id: 'item_id', prefixes: [sql`x.index_id = ${indexId}`] }
}

/**
 * Selects the `id` of each item in ranges that meets the conditions, once, and the time of its creation as `k`; one select per range.
 */
export function rowsInAnyOrder(set: ItemSet, { ranges, conditions }: RowsOf): Sql[] {
  const columns = raw(`x.${ranges.id} as id, x.created_at as k`)
  return rangesOf(set, ranges, conditions).map((range) => sql`select ${columns} ${range}`)
}

/** One range of rows `x` for each prefix and each combination of the flags: the text after the columns of a select. */
export function rangesOf(
  set: ItemSet,
  { table, id, prefixes, anyOf }: ItemRanges,
  conditions: readonly Condition[] = [],
): Sql[] {
  const ofEntries = table === 'index_values' || table === 'index_elements'
  const from = ofEntries ? throughIndex(`${table} x`, `${table}_order_index`) : raw(`${table} x`)
  const others = conditions.map((condition) => sql` and ${condition.predicate(`x.${id}`)}`)
  const flags = flagValues(set.activated).flatMap((activated) =>
    flagValues(set.readonly).map((ro) => [activated, ro] as const),
  )
  return prefixes.flatMap((prefix) =>
    flags.map(([activated, ro]) => {
      const where = sql`${prefix} and activated = ${activated} and readonly = ${ro}`
      const rows = anyOf ? rowsWithAny({ from, where, ...anyOf }) : sql`from ${from} where ${where}`
      return sql`${rows}${joinSql(others, '')}`
    }),
  )
}

function flagValues(flag: boolean | null): number[] {
  return flag === null ? [1, 0] : [Number(flag)]
}
