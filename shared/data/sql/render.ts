import type { Query } from '../database.ts'
import type { Dialect, Rendered } from '../dialect.ts'

/** Renders a query as its database's driver expects it. */
export function renderQuery(dialect: Dialect, query: Query, bindings: readonly unknown[] = []): Rendered {
  if (typeof query === 'string') return { text: query, bindings }
  if (typeof query === 'function') return query(dialect)
  const { sql, bindings: values } = query.toSQL()
  return { text: sql, bindings: values }
}
