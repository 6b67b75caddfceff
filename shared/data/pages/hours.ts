import { hourMs, maxHourly } from '#shared/domain/hours.ts'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { selectsAtOnce } from '../sql/statements.ts'

/**
 * The number of rows of each hour, counted up to `maxHourly` per hour, so that the work is bounded.
 * @param hours their starts in epoch milliseconds
 * @param rowsOf the rows from one time up to, but not including, another, as the text after the columns of a select; they are a range of
 *   an index
 */
export async function countHours(
  db: Queries,
  hours: readonly number[],
  rowsOf: (from: number, before: number) => Sql,
): Promise<number[]> {
  const counts = hours.map(() => 0)
  for (let first = 0; first < hours.length; first += selectsAtOnce) {
    const selects = hours.slice(first, first + selectsAtOnce).map((begin, n) => {
      const rows = sql`select 1 as one ${rowsOf(begin, begin + hourMs)} ${limitRows({ limit: maxHourly, offset: 0 })}`
      return sql`select ${first + n} as n, count(*) as found from (${rows}) as h`
    })
    for (const { n, found } of await db.all(joinSql(selects, ' union all '))) counts[toNumber(n)] = toNumber(found)
  }
  return counts
}
