import { startingWith } from '#shared/domain/text/starting-with.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from './sql.ts'

/**
 * The condition that a column's text begins with this one, as a range of an index of the column.
 * @param behind such a text: only what comes behind it. SQLite begins at one lower end, and would filter by another.
 */
export function beginsWith(column: string, text: string, behind?: string): Sql {
  const { min, end } = startingWith(text)
  const from = behind === undefined ? sql`${raw(column)} >= ${min}` : sql`${raw(column)} > ${behind}`
  return end === null ? from : sql`${from} and ${raw(column)} < ${end}`
}
