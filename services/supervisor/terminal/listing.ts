import type { Terminal } from './terminal.ts'

/** One flat row, as in JSON output. */
type ListedRow = Readonly<Record<string, string | number | boolean | null>>

/**
 * Rows as text: aligned columns with titles for a terminal, or one JSON array for programs.
 * @param options.columns the property that each column shows, by its title; JSON has all properties
 */
export function listing<Row extends ListedRow>(
  rows: readonly Row[],
  options: { columns: Readonly<Record<string, keyof Row>>; json?: true | undefined },
): string {
  const { columns, json } = options
  if (json) return formatJson(rows)
  const titles = Object.keys(columns).map((title) => title.toUpperCase())
  const properties = Object.values(columns)
  return aligned([titles, ...rows.map((row) => properties.map((property) => formatCell(row[property] ?? null)))])
}

/** Lines of cells, each column as wide as its widest cell. */
export function aligned(lines: readonly (readonly string[])[]): string {
  const widths = (lines[0] ?? []).map((_, n) => Math.max(...lines.map((line) => line[n]?.length ?? 0)))
  const lineOf = (line: readonly string[]) => line.map((cell, n) => cell.padEnd(widths[n] ?? 0)).join('  ')
  return lines.map((line) => `${lineOf(line).trimEnd()}\n`).join('')
}

function formatCell(value: string | number | boolean | null): string {
  if (value === null) return '-'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return printable(String(value))
}

/** A value as JSON text for a terminal or a file. */
export function formatJson(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** Names come from users: control characters in them must not move the terminal's cursor. */
export function printable(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}]/gu, '\u{FFFD}')
}

/** Epoch milliseconds as an ISO 8601 text. */
export function formatTime(ms: number | null): string | null {
  return ms === null ? null : new Date(ms).toISOString()
}

/** A list shows at most this many rows and says when there are more. */
export const maxRows = 1_000

/** @param rows read with a limit of `maxRows + 1`. @returns the rows to show */
export function withinLimit<Row>({ stderr }: Terminal, rows: readonly Row[]): readonly Row[] {
  if (rows.length <= maxRows) return rows
  stderr.write(`Only the first ${maxRows} are shown.\n`)
  return rows.slice(0, maxRows)
}
