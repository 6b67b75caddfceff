import { after, type SeekPosition } from '../cursor.ts'
import type { Direction } from '../page.ts'
import type { Sql } from '../sql/dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { unionAllOrdered } from '../sql/statements.ts'
import type { Condition, ItemRanges, ItemSet } from './item-set.ts'

/** All items of the list, in ranges of its own indexes. */
export function listRanges({ listId }: ItemSet): ItemRanges {
  return { table: 'items', id: 'id', starts: [sql`list_id = ${listId}`] }
}

export type IndexScan = {
  /** An index goes on with it behind the flags. */
  column: 'created_at' | 'updated_at'
  direction: Direction
  /** Behind which the rows begin; null: at the beginning. */
  from: SeekPosition | null
  limit: number
  offset: number
}

/**
 * `id` and `k`, the key, of the rows of ranges for which other conditions hold, in order: every range is read in the order
 * of its index and the ranges are merged, so that the first rows cost the same however many there are.
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

/** `id` of each item of ranges for which other conditions hold, once, a select for each range. */
export function rowsAtAll(
  set: ItemSet,
  { ranges, conditions }: { ranges: ItemRanges; conditions: readonly Condition[] },
): Sql[] {
  return rangesOf(set, ranges, conditions).map((range) => sql`select x.${raw(ranges.id)} as id ${range}`)
}

/** One range for each start and each combination of the flags. */
function rangesOf(set: ItemSet, { table, id, starts }: ItemRanges, conditions: readonly Condition[]): Sql[] {
  const others = conditions.map((condition) => sql` and ${condition.predicate(`x.${id}`)}`)
  const flags = bothOr(set.activated).flatMap((activated) => bothOr(set.readonly).map((ro) => [activated, ro] as const))
  return starts.flatMap((start) =>
    flags.map(
      ([activated, ro]) =>
        sql`from ${raw(table)} x where ${start} and activated = ${activated} and readonly = ${ro}${joinSql(others, '')}`,
    ),
  )
}

function bothOr(flag: boolean | null): number[] {
  return flag === null ? [1, 0] : [Number(flag)]
}
