import { dateWords } from '#services/dashboard/parts/display/dates.ts'
import { counted } from '#shared/domain/text/counted.ts'
import { arrayElements, objectMembers } from '#shared/json/text/offsets.ts'

/**
 * A value as a table shows it. `date`: `words` have the reader's format, `text` the original one. `json`: `words` say how many fields or
 * elements it has. `list`: `texts` are its first elements; `more` is the number of the others.
 */
export type Cell =
  | { kind: 'missing' | 'null' | 'flag' | 'number' | 'text'; text: string }
  | { kind: 'date' | 'json'; text: string; words: string }
  | { kind: 'list'; texts: readonly string[]; more: number }

/** Characters of a value that a table shows. */
export const mostShown = 120
const mostElements = 3

/**
 * @param text compact JSON as it is stored; undefined: there is no value
 * @param names whether its texts refer to items, whose titles are shown
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

/** Characters of JSON up to which its fields or elements are counted. */
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

/** An array of short texts or numbers is shown by its elements, any other array by their number. */
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

/** The beginning of a JSON string, parsed: at least one character more than a table shows, if the string is longer. */
function beginningOf(text: string): string {
  // An escape sequence has six characters at most.
  const most = (mostShown + 1) * 6 + 2
  if (text.length <= most) return JSON.parse(text)
  const beginning = text.slice(0, most)
  const cutEscape = /\\(?:u[0-9a-fA-F]{0,3})?$/.exec(beginning)
  const isOpen = cutEscape !== null && isEscaped(beginning, cutEscape.index)
  return JSON.parse(`${isOpen ? beginning.slice(0, cutEscape.index) : beginning}"`)
}

/** Whether the backslash at a position starts an escape sequence, and is not the end of one. */
function isEscaped(text: string, at: number): boolean {
  let before = 0
  while (text[at - 1 - before] === '\\') before++
  return before % 2 === 0
}

const oneLine = (text: string) => cut(text.replace(/\s+/g, ' '))

/** The beginning of a long text. A character is never cut in two. */
function cut(text: string): string {
  if (text.length <= mostShown) return text
  return `${text.slice(0, mostShown).replace(/[\uD800-\uDBFF]$/, '')}…`
}

/** The approximate width of a value, in rem; undefined: the cell has no value of the data. */
export function cellWidth(cell: Cell | undefined): number | undefined {
  if (!cell) return undefined
  if (cell.kind === 'list')
    return cell.texts.reduce((sum, text) => sum + textWidth(text) + 1.125, cell.more > 0 ? 1.5 : 0)
  if (cell.kind === 'number') return cell.text.length * digit
  if (cell.kind === 'json') return textWidth(cell.words) + 1.125
  return textWidth(cell.kind === 'date' ? cell.words : cell.text)
}

/** Width of a digit, in rem. */
const digit = 0.54

/** Average width of a letter, in rem. */
export const letter = 0.46

/** Digits are wider than letters, and characters of square scripts (such as Chinese) are twice as wide. */
function textWidth(text: string): number {
  const digits = text.match(/\d/g)?.length ?? 0
  const squares = text.match(/[\u2E80-\uFFEF]/g)?.length ?? 0
  return (text.length + squares) * letter + digits * (digit - letter)
}
