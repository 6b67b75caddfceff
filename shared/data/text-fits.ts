import type { TextFilter } from '#shared/domain/text/filter.ts'
import { raw, type SqlText, sql, valuesOf } from './sql-text.ts'

/** Whether a column that holds text in caseless form passes a filter. */
export function textFits(column: string, filter: TextFilter): SqlText {
  const key = raw(column)
  if (filter.kind === 'in') return sql`${key} in ${valuesOf(filter.texts)}`
  const { kind, text } = filter
  if (kind === 'equals') return sql`${key} = ${text}`
  return kind === 'starts' ? sql`substr(${key}, 1, length(${text})) = ${text}` : sql`instr(${key}, ${text}) > 0`
}
