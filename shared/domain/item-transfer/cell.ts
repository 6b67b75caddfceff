import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { maxJsonDepth } from '../limits.ts'
import { parseDate } from '../text/date.ts'
import { withGuard } from './formula-guard.ts'

/** What the cells of a column are read as. A number keeps its text, and so does a date. */
export const cellTypes = ['text', 'number', 'boolean', 'date', 'json'] as const
export type CellType = (typeof cellTypes)[number]

/** The JSON text of a cell that is not empty, or why it has none. */
export function readCell(cell: string, type: CellType): { json: string } | { problem: string } {
  const text = type === 'text' ? cell : cell.trim()
  switch (type) {
    case 'text':
      return { json: JSON.stringify(text) }
    case 'number':
      return jsonNumber.test(text) ? { json: text } : { problem: `${shown(text)} is not a number as JSON has it` }
    case 'boolean': {
      const value = booleans.get(text.toLowerCase())
      return value === undefined ? { problem: `${shown(text)} is neither true nor false` } : { json: value }
    }
    case 'date':
      return parseDate(text) === null
        ? { problem: `${shown(text)} is not a date such as 2026-01-31 or 2026-01-31T12:00:00Z` }
        : { json: JSON.stringify(text) }
    case 'json': {
      const found = findSyntaxError(text, maxJsonDepth)
      return found === null
        ? { json: text }
        : { problem: `it is not JSON: ${found.why}, at character ${found.offset + 1}` }
    }
  }
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const booleans: ReadonlyMap<string, 'true' | 'false'> = new Map([
  ['true', 'true'],
  ['yes', 'true'],
  ['1', 'true'],
  ['false', 'false'],
  ['no', 'false'],
  ['0', 'false'],
])

/** The beginning of a value in quotes, for a message. */
function shown(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text)
}

/** The type that all cells of a sample can be read as, empty ones left out: digits after a zero are text, as codes are. */
export function guessType(cells: readonly string[]): CellType {
  const filled = cells.filter((cell) => cell !== '')
  if (filled.length === 0) return 'text'
  const all = (pattern: RegExp) => filled.every((cell) => pattern.test(cell))
  if (all(jsonNumber)) return 'number'
  if (all(/^(?:true|false)$/i)) return 'boolean'
  if (all(/^\d{4}-\d\d-\d\d(?:[T ]|$)/) && filled.every((cell) => parseDate(cell) !== null)) return 'date'
  if (all(/^[[{]/) && filled.every((cell) => findSyntaxError(cell, maxJsonDepth) === null)) return 'json'
  return 'text'
}

/**
 * A JSON text as a cell: a text is itself, null is empty, and everything else as it is written.
 * @param options.isGuarded a text that a spreadsheet would run as a formula stands after an apostrophe
 */
export function writeCell(json: string | null, { isGuarded }: { isGuarded: boolean }): string {
  if (json === null || json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return isGuarded ? withGuard(text) : text
}
