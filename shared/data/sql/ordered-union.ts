import type { RangePart, Sql } from '../dialect.ts'
import { joinSql, raw, sql } from './sql.ts'

/** SQLite merges ranges that indexes have in order, without sorting. */
export function plainOrderedUnion(ranges: readonly Sql[], part: RangePart): Sql {
  return sql`${joinSql(ranges, ' union all ')} ${endOf(part)}`
}

/**
 * The servers would read every range to its end and sort all rows (on Postgres 32 ms instead of 1 for 180,000 entries in ten
 * ranges), so each range has its own limit.
 */
export function limitedOrderedUnion(ranges: readonly Sql[], part: RangePart): Sql {
  if (ranges.length === 1) return plainOrderedUnion(ranges, part)
  const { order, limit, offset } = part
  const limited = ranges.map((range) => sql`(${range} order by ${raw(order)} limit ${limit + offset})`)
  return plainOrderedUnion(limited, part)
}

function endOf({ order, limit, offset }: RangePart): Sql {
  return sql`order by ${raw(order)} limit ${limit} offset ${offset}`
}
