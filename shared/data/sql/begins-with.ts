import { startingWith } from '#shared/domain/text/starting-with.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from './sql.ts'

/** The condition that a column's text begins with this one, as a range of an index of the column. */
export function beginsWith(column: string, text: string): Sql {
  const { min, end } = startingWith(text)
  const from = sql`${raw(column)} >= ${min}`
  return end === null ? from : sql`${from} and ${raw(column)} < ${end}`
}
