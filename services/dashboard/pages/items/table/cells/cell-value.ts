import type { Cell } from '../cell.ts'

/** How a value is edited in its cell. `typed`: the initial text of the field. */
export type CellDraft = { kind: 'text' | 'number' | 'flag'; typed: string }

/** Longest text that is edited in its cell. A longer one is edited on the page of its item. */
export const mostEdited = 1_000

/**
 * The initial draft for editing a cell.
 * @param text compact JSON; undefined: the item has no such value
 * @param others the other cells of the column, which determine the kind of a missing value
 * @returns a text: why the value can only be edited on the page of its item, as a sentence
 */
export function cellDraft(text: string | undefined, others: readonly (Cell | undefined)[]): CellDraft | string {
  if (text === undefined || text === 'null') return { kind: kindOf(others), typed: '' }
  if (text === 'true' || text === 'false') return { kind: 'flag', typed: text }
  if (text[0] === '[' || text[0] === '{') return 'Edit arrays and objects on the page of the item.'
  if (text.length > mostEdited) return 'Edit a value of this length on the page of the item.'
  if (text[0] !== '"') return { kind: 'number', typed: text }
  const typed: string = JSON.parse(text)
  return /[\r\n]/.test(typed) ? 'Edit a text of several lines on the page of the item.' : { kind: 'text', typed }
}

function kindOf(others: readonly (Cell | undefined)[]): CellDraft['kind'] {
  const kinds = others.map((cell) => cell?.kind)
  const isEach = (kind: Cell['kind']) => kinds.includes(kind) && kinds.every((one) => one === kind || isNothing(one))
  if (isEach('number')) return 'number'
  return isEach('flag') ? 'flag' : 'text'
}

const isNothing = (kind: Cell['kind'] | undefined) => kind === undefined || kind === 'missing' || kind === 'null'

const number = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/

/** The input as JSON; a number keeps its digits. Null: the input is not valid for its kind. */
export function typedJson({ kind, typed }: CellDraft): string | null {
  if (kind === 'text') return JSON.stringify(typed)
  const text = typed.trim()
  if (kind === 'number') return number.test(text) ? text : null
  return text === 'true' || text === 'false' ? text : null
}

/** A description of each kind, to follow "It must be". */
export const kindWords: Readonly<Record<CellDraft['kind'], string>> = {
  text: 'a text',
  number: 'a number, such as 4 or 2.5',
  flag: 'true or false',
}
