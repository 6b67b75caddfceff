import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { maxJsonDepth } from '../limits.ts'
import { parseDate } from '../text/date.ts'
import { withGuard } from './formula-guard.ts'

/** The types of cells. Numbers and dates keep their text. */
export const cellTypes = ['text', 'number', 'boolean', 'date', 'json'] as const
export type CellType = (typeof cellTypes)[number]

/** The JSON text of a non-empty cell, or the error. */
export function readCell(cell: string, type: CellType): { json: string } | { problem: string } {
  const text = type === 'text' ? cell : cell.trim()
  switch (type) {
    case 'text':
      return { json: JSON.stringify(text) }
    case 'number':
      return jsonNumber.test(text) ? { json: text } : { problem: `${shown(text)} is not a JSON number` }
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

/** The type that fits all non-empty cells of a sample. Digits after a leading zero are text, because they are probably codes. */
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
 * Converts a JSON text to a cell: a string to its value, null to an empty cell, everything else to its JSON text.
 * @param options.isGuarded texts that a spreadsheet would run as formulas get an apostrophe in front
 */
export function writeCell(json: string | null, { isGuarded }: { isGuarded: boolean }): string {
  if (json === null || json === 'null') return ''
  if (!json.startsWith('"')) return json
  const text = JSON.parse(json) as string
  return isGuarded ? withGuard(text) : text
}
