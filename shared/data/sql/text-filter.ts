import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from './sql.ts'
import { contains, inList, startsWith } from './statements.ts'

/** The condition that a column of case-folded text passes a filter. */
export function textFilterPredicate(column: string, filter: TextFilter): Sql {
  if (filter.kind === 'in') return inList(column, filter.texts)
  const { kind, text } = filter
  // No column contains U+0000, and Postgres rejects it as a parameter.
  if (text.includes('\u0000')) return raw('1 = 0')
  if (kind === 'equals') return sql`${raw(column)} = ${text}`
  return kind === 'starts' ? startsWith(column, text) : contains(column, text)
}
