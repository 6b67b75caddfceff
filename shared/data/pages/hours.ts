import { hourMs, maxHourly } from '#shared/domain/hours.ts'
import { toNumber } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { limitRows } from '../sql/ordered-union.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { selectsAtOnce } from '../sql/statements.ts'

/**
 * How many rows there are of each hour, at most `maxHourly` of one: what is counted is bounded, however many there are.
 * @param hours their begins in epoch milliseconds
 * @param rowsOf the rows from a time on and before another one, as the text behind the columns of a select; an index has them as a range
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
