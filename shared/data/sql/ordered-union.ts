import { maxCounted, maxExamined, page } from '#shared/domain/limits.ts'
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
 * SQLite passes the rows on one by one, in their order, and reads no more than the limit needs. With another `order by`, it would
 * read and sort all of them.
 */
export function passingInTurn(rows: Sql, passes: Sql, { limit, offset }: RangePart): Sql {
  return sql`select f.id, f.k from (${rows}) f where ${passes} ${limitRows({ limit, offset })}`
}

/** The servers guarantee an order only with `order by`; Postgres knows that the rows already have it. */
export function passingInOrder(rows: Sql, passes: Sql, { order, limit, offset }: RangePart): Sql {
  return sql`select f.id, f.k from (${rows}) f where ${passes} order by ${raw(order)} ${limitRows({ limit, offset })}`
}

/**
 * The limit of a select to the rows of a part. The usual limits of first rows are in the text: where the limit is a parameter,
 * Postgres expects a tenth of all rows and plans the statement again each time, 0.5 ms for a page that it reads in 0.1. Other
 * numbers are parameters, because otherwise too many statements would stay prepared.
 */
export function limitRows({ limit, offset, few = isUsual(limit, offset) }: Omit<RangePart, 'order'>): Sql {
  if (few) return raw(offset === 0 ? `limit ${limit}` : `limit ${limit} offset ${offset}`)
  return sql`limit ${limit} offset ${offset}`
}

/** The limit to all rows up to the end of a part, written like that of `limitRows`. */
export function limitToEnd({ limit, offset = 0, few = isUsual(limit, offset) }: Omit<BranchPart, 'order'>): Sql {
  return few ? raw(`limit ${limit + offset}`) : sql`limit ${limit + offset}`
}

/**
 * Pages of the default and of the largest size, by number and by cursor, and the numbers that are counted and examined for them.
 */
const usualLimits = new Set(
  [page.defaultLimit, page.maxLimit, maxCounted, maxExamined].flatMap((limit) => [limit, limit + 1]),
)

function isUsual(limit: number, offset: number): boolean {
  return offset === 0 && usualLimits.has(limit)
}
