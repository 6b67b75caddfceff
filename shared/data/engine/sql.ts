/** SQL with the values of its `?` marks, so that parts of a statement can be put together from left to right. */
export type SqlText = { text: string; bindings: readonly unknown[] }

/**
 * A part of a statement: parts made here stand in it as they are, everything else becomes a `?` and a value.
 * Names of tables and columns are our own and come as `raw`.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): SqlText {
  const pieces = parts.map((text, n) => [raw(text), ...(n < values.length ? [asSql(values[n])] : [])])
  return joinSql(pieces.flat(), '')
}

/** Text of our own, never of a client's. */
export function raw(text: string): SqlText {
  return { text, bindings: [] }
}

/** @param between ` and `, ` union all `, … */
export function joinSql(parts: readonly SqlText[], between: string): SqlText {
  return { text: parts.map(({ text }) => text).join(between), bindings: parts.flatMap(({ bindings }) => bindings) }
}

/** A set of values as one binding, for `in`. */
export function valuesOf(values: readonly string[]): SqlText {
  return sql`(${rowsOf(values)})`
}

/** A set of ids as one binding, for `from`. */
export function rowsOf(ids: readonly string[]): SqlText {
  return sql`select value as id from json_each(${JSON.stringify(ids)})`
}

function asSql(value: unknown): SqlText {
  return isSql(value) ? value : { text: '?', bindings: [value] }
}

function isSql(value: unknown): value is SqlText {
  return typeof value === 'object' && value !== null && 'text' in value && 'bindings' in value
}
