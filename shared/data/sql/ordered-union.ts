import type { RangePart, Sql } from './dialect.ts'
import { joinSql, raw, sql } from './sql.ts'

/** SQLite merges what indexes have in order, without sorting. */
export function plainOrderedUnion(ranges: readonly Sql[], part: RangePart): Sql {
  return sql`${joinSql(ranges, ' union all ')} ${endOf(part)}`
}

/**
 * The servers read the whole of every range and sort it all (Postgres 32 ms for 180,000 entries in ten ranges, against 1),
 * unless each range is cut first.
 */
export function limitedOrderedUnion(ranges: readonly Sql[], part: RangePart): Sql {
  if (ranges.length === 1) return plainOrderedUnion(ranges, part)
  const { order, limit, offset } = part
  const cut = ranges.map((range) => sql`(${range} order by ${raw(order)} limit ${limit + offset})`)
  return plainOrderedUnion(cut, part)
}

function endOf({ order, limit, offset }: RangePart): Sql {
  return sql`order by ${raw(order)} limit ${limit} offset ${offset}`
}
