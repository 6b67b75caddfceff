import type { Sql } from '../dialect.ts'
import { after } from '../pages/cursor.ts'
import type { PagePart } from '../pages/keyset.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { rowsWithAny, throughIndex, unionAllOrdered } from '../sql/statements.ts'
import type { Condition, ItemRanges, ItemSet } from './item-set.ts'

// Ranges of an index. The indexes of `items` and `item_tags` begin with a prefix (the list, an owner, a tag), then have the
// two flags, then the time of creation or update. So the rows of one prefix and one combination of flags are one range of the
// index, in page order. A filter that leaves a flag open doubles the ranges, which are merged: nothing is sorted. Ranges in
// the order of values are in `value-ranges.ts`.
// Invariant: an item is in at most one range, so a union of ranges has no duplicates.

/** All items of the list. */
export function rangesOfList({ listId }: ItemSet): ItemRanges {
  return { table: 'items', id: 'id', prefixes: [sql`list_id = ${listId}`] }
}

type IndexScan = PagePart & {
  /** The column that the index has after the flags. */
  column: 'created_at' | 'updated_at'
}

/**
 * Selects `id` and `k`, the key, of the rows in ranges that meet the conditions, in order. Each range is read in the order of
 * its index and the ranges are merged, so the first rows cost the same however many rows there are.
 */
export function rowsInOrder(
  set: ItemSet,
  { ranges, conditions }: { ranges: ItemRanges; conditions: readonly Condition[] },
  { column, direction, from, limit, offset }: IndexScan,
): Sql {
  const { id } = ranges
  const key = `x.${column}`
  const bound = from ? sql` and ${after({ key, id: `x.${id}`, direction }, from)}` : raw('')
  const rows = rangesOf(set, ranges, conditions).map(
    (range) => sql`select x.${raw(id)} as id, ${raw(key)} as k ${range}${bound}`,
  )
  return unionAllOrdered(rows, { order: `k ${direction}, id ${direction}`, limit, offset })
}

/** Selects the `id` of each item in ranges that meets the conditions, once; one select per range. */
export function rowsInAnyOrder(
  set: ItemSet,
  { ranges, conditions }: { ranges: ItemRanges; conditions: readonly Condition[] },
): Sql[] {
  return rangesOf(set, ranges, conditions).map((range) => sql`select x.${raw(ranges.id)} as id ${range}`)
}

/** One range for each prefix and each combination of the flags. */
export function rangesOf(
  set: ItemSet,
  { table, id, prefixes, anyOf }: ItemRanges,
  conditions: readonly Condition[],
): Sql[] {
  const from = table === 'index_values' ? throughIndex('index_values x', 'index_values_order_index') : raw(`${table} x`)
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
