import type { Sql } from '../dialect.ts'

/**
 * A statement or a part of one. Values that are parts themselves are inserted as SQL; every other value becomes a `?` and a
 * binding. Names of tables and columns are our own and are passed as `raw`.
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

/** SQL text as it is: only our own, never a client's. */
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
