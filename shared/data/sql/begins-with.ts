import { startingWith } from '#shared/domain/text/starting-with.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from './sql.ts'

/**
 * The condition that a column's text begins with this one, as a range of an index of the column.
 * @param behind only texts after this one, which begins with `text` too. It replaces the lower bound, because SQLite begins at
 *   one lower bound and would filter by another.
 */
export function beginsWith(column: string, text: string, behind?: string): Sql {
  const { min, end } = startingWith(text)
  const from = behind === undefined ? sql`${raw(column)} >= ${min}` : sql`${raw(column)} > ${behind}`
  return end === null ? from : sql`${from} and ${raw(column)} < ${end}`
}
