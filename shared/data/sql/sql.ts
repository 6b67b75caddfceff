import type { Dialect, Rendered, Sql } from '../dialect.ts'

/**
 * A statement or a part of one. Values that are parts themselves are inserted as SQL; every other value becomes a `?` and a
 * binding. Names of tables and columns are our own and are passed as `raw`.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  return (dialect) => render(dialect, parts, values)
}

function render(dialect: Dialect, parts: TemplateStringsArray, values: readonly unknown[]): Rendered {
  const pieces: string[] = []
  const bindings: unknown[] = []
  for (const value of values) {
    const piece = renderValue(dialect, value)
    pieces.push(piece.text)
    bindings.push(...piece.bindings)
  }
  return { text: textOf(parts, pieces), bindings }
}

/** A value as it is written in a statement: a part as SQL, any other as a mark and a binding. */
export function renderValue(dialect: Dialect, value: unknown): Rendered {
  return isSql(value) ? value(dialect) : { text: dialect.mark(value), bindings: [value] }
}

/** The last text of each template, with the pieces between its parts. */
const lastTexts = new WeakMap<TemplateStringsArray, { pieces: readonly string[]; text: string }>()
/** Longer texts vary with what a request asks for, and are not kept. */
const maxKeptLength = 10_000

/**
 * The text of a template with these pieces. Usually it is the same as last time. Then the same string is returned, so that the
 * lookup of the prepared statement need not compute its hash again: 75 ns for a statement of four values, against 330 for a new
 * text and 20 for a constant.
 */
function textOf(parts: TemplateStringsArray, pieces: readonly string[]): string {
  const last = lastTexts.get(parts)
  if (last?.pieces.every((piece, position) => piece === pieces[position])) return last.text
  const text = String.raw({ raw: parts }, ...pieces)
  if (text.length <= maxKeptLength) lastTexts.set(parts, { pieces, text })
  return text
}

/**
 * Creates a function that builds a text of pieces, and returns the same string as last time for the same pieces, for the same
 * reason.
 */
export function keepingLast(make: (pieces: readonly string[]) => string): (pieces: readonly string[]) => string {
  let last: { pieces: readonly string[]; text: string } = { pieces: [], text: '' }
  return (pieces) => {
    const isSame = last.pieces.length === pieces.length && last.pieces.every((piece, n) => piece === pieces[n])
    if (!isSame) last = { pieces, text: make(pieces) }
    return last.text
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
