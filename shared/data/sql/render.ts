import type { Query } from '../database.ts'
import type { Dialect, Rendered } from './dialect.ts'

/** A query as its database's driver takes it. */
export function renderQuery(dialect: Dialect, query: Query, bindings: readonly unknown[] = []): Rendered {
  if (typeof query === 'string') return { text: query, bindings }
  if (typeof query === 'function') return query(dialect)
  const { sql, bindings: values } = query.toSQL()
  return { text: sql, bindings: values }
}
