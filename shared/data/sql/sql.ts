import type { Sql } from './dialect.ts'

/**
 * A part of a statement: parts made here stand in it as they are, everything else becomes a `?` and a value.
 * Names of tables and columns are our own and come as `raw`.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return (dialect) => {
    let text = parts[0] ?? ''
    const bindings: unknown[] = []
    values.forEach((value, position) => {
      const piece = isSql(value) ? value(dialect) : dialect.value(value)
      text += piece.text + (parts[position + 1] ?? '')
      bindings.push(...piece.bindings)
    })
    return { text, bindings }
  }
}

/** Text of our own, never of a client's. */
export function raw(text: string): Sql {
  const rendered = { text, bindings: [] }
  return () => rendered
}

/** @param between ` and `, ` union all `, … */
export function joinSql(parts: readonly Sql[], between: string): Sql {
  return (dialect) => {
    const rendered = parts.map((part) => part(dialect))
    return {
      text: rendered.map(({ text }) => text).join(between),
      bindings: rendered.flatMap(({ bindings }) => bindings),
    }
  }
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'function'
}
