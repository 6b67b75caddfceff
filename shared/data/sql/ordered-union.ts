import { maxCounted, page } from '#shared/domain/limits.ts'
import type { BranchPart, RangePart, Sql } from '../dialect.ts'
import { joinSql, raw, sql } from './sql.ts'

/** SQLite merges ranges that indexes have in order, without sorting. */
export function plainOrderedUnion(ranges: readonly Sql[], part: RangePart): Sql {
  return sql`${joinSql(ranges, ' union all ')} order by ${raw(part.order)} ${limitRows(part)}`
}

/**
 * The servers would read every range to its end and sort all rows (on Postgres 32 ms instead of 1 for 180,000 entries in ten
 * ranges), so each range has its own limit.
 */
export function limitedOrderedUnion(ranges: readonly Sql[], part: RangePart): Sql {
  if (ranges.length === 1) return plainOrderedUnion(ranges, part)
  const order = raw(part.order)
  const limited = ranges.map((range) => sql`(${range} order by ${order} ${limitToEnd(part)})`)
  return plainOrderedUnion(limited, part)
}

/**
 * The rows of a part. The usual limits of first rows are in the text: where the limit is a parameter, Postgres expects a tenth
 * of all rows and plans the statement anew each time, 0.5 ms for a page that it reads in 0.1. Other numbers are parameters, or
 * too many statements would stay prepared.
 */
export function limitRows({ limit, offset }: Pick<RangePart, 'limit' | 'offset'>): Sql {
  return isUsual(limit, offset) ? raw(`limit ${limit}`) : sql`limit ${limit} offset ${offset}`
}

/** The rows up to the end of a part, whose text is like that of `limitRows`. */
export function limitToEnd({ limit, offset = 0 }: Pick<BranchPart, 'limit' | 'offset'>): Sql {
  return isUsual(limit, offset) ? raw(`limit ${limit}`) : sql`limit ${limit + offset}`
}

/** Pages of the default and of the largest size, by number and by cursor, and what is counted for them. */
const usualLimits = new Set([page.defaultLimit, page.maxLimit, maxCounted].flatMap((limit) => [limit, limit + 1]))

function isUsual(limit: number, offset: number): boolean {
  return offset === 0 && usualLimits.has(limit)
}
