import type { IdSelection } from '#shared/domain/access/selections.ts'
import type { Sql } from '../dialect.ts'
import { sql } from './sql.ts'
import { inList } from './statements.ts'

/** The condition that a selection contains the `id` of a row; no condition where it contains every id. */
export function selectedIds({ rest, except }: IdSelection): Sql[] {
  if (!rest) return [inList('id', except)]
  return except.length > 0 ? [sql`not (${inList('id', except)})`] : []
}
