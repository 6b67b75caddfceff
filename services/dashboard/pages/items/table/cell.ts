import { dateWords } from '#services/dashboard/parts/display/dates.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { arrayElements, objectMembers } from '#shared/json/text/offsets.ts'

/**
 * A value as a table shows it. `date`: `words` are in the reader's format, `text` is as it was written. `json`: `words` tell how much
 * there is in it. `list`: `texts` are its elements, of which `more` are left out.
 */
export type Cell =
  | { kind: 'missing' | 'null' | 'flag' | 'number' | 'text'; text: string }
  | { kind: 'date' | 'json'; text: string; words: string }
  | { kind: 'list'; texts: readonly string[]; more: number }

/** Characters of a value that a table shows. */
export const mostShown = 120
const mostElements = 3

/**
 * @param text compact JSON as it is stored; undefined: there is no such value
 * @param names whether its texts name items, whose titles are shown
 */
export function cellOf(text: string | undefined, names = false): Cell {
  if (text === undefined) return { kind: 'missing', text: '–' }
  if (text === 'null') return { kind: 'null', text }
  if (text === 'true' || text === 'false') return { kind: 'flag', text }
  if (text[0] === '"') return textCell(oneLine(beginningOf(text)))
  if (text[0] === '[') return listCell(text, names)
  return text[0] === '{' ? jsonCell(text) : { kind: 'number', text: cut(text) }
}

function textCell(text: string): Cell {
  const words = dateWords(text)
  return words === null ? { kind: 'text', text } : { kind: 'date', text, words }
}

/** In longer JSON nobody counts what is in it. */
const mostCounted = 20_000

function jsonCell(text: string): Cell {
  const isObject = text[0] === '{'
  const name = isObject ? 'object' : 'array'
  if (text.length === 2) return { kind: 'json', text, words: `empty ${name}` }
  if (text.length > mostCounted) return { kind: 'json', text: cut(text), words: `long ${name}` }
  const words = isObject
    ? counted(objectMembers(text, 0).length, 'field')
    : counted(arrayElements(text, 0).length, 'element')
  return { kind: 'json', text: cut(text), words }
}

/** A list of a few short texts or numbers is shown by its elements, any other one by how many it has. */
function listCell(text: string, names: boolean): Cell {
  if (text === '[]' || text.length > longestList) return jsonCell(text)
  const elements = arrayElements(text, 0).map(({ start, end }) => cellOf(text.slice(start, end)))
  const texts = elements.flatMap((cell) => {
    if (cell.kind === 'date') return [cell.words]
    return cell.kind === 'text' || cell.kind === 'number' ? [cell.text] : []
  })
  if (texts.length < elements.length || (!names && texts.some((one) => one.length > longestElement)))
    return jsonCell(text)
  return { kind: 'list', texts: texts.slice(0, mostElements), more: Math.max(0, texts.length - mostElements) }
}

const longestList = 1_000
const longestElement = 24

/** The first characters of a string that is written as JSON, and one more than a table shows if there are more. */
function beginningOf(text: string): string {
  // An escape takes six characters at most.
  const most = (mostShown + 1) * 6 + 2
  if (text.length <= most) return JSON.parse(text)
  const beginning = text.slice(0, most)
  const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(beginning)
  const isOpen = cutEscape !== null && isEscaped(beginning, cutEscape.index)
  return JSON.parse(`${isOpen ? beginning.slice(0, cutEscape.index) : beginning}"`)
}

/** Whether the backslash at a position begins an escape, not ends one. */
function isEscaped(text: string, at: number): boolean {
  let before = 0
  while (text[at - 1 - before] === '\\') before++
  return before % 2 === 0
}

const oneLine = (text: string) => cut(text.replace(/\s+/g, ' '))

/** The beginning of a long text. No character is cut in two. */
function cut(text: string): string {
  if (text.length <= mostShown) return text
  return `${text.slice(0, mostShown).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** About how wide a value is, in rem; undefined: there is no value of the data. */
export function cellWidth(cell: Cell | undefined): number | undefined {
  if (!cell) return undefined
  if (cell.kind === 'list')
    return cell.texts.reduce((sum, text) => sum + textWidth(text) + 1.125, cell.more > 0 ? 1.5 : 0)
  if (cell.kind === 'number') return cell.text.length * digit
  if (cell.kind === 'json') return textWidth(cell.words) + 1.125
  return textWidth(cell.kind === 'date' ? cell.words : cell.text)
}

/** How wide a digit is, in rem. */
const digit = 0.54

/** How wide a letter is on average, in rem. */
export const letter = 0.46

/** Digits are wider than letters, and those of scripts that are written in squares twice as wide. */
function textWidth(text: string): number {
  const digits = text.match(/\d/g)?.length ?? 0
  const squares = text.match(/[\u2E80-\uFFEF]/g)?.length ?? 0
  return (text.length + squares) * letter + digits * (digit - letter)
}
