import { childPointer, parsePointer } from '#shared/json/pointer.ts'
import { arrayPointers } from './array-pointers.ts'
import { readCell } from './cell.ts'
import type { Column } from './columns.ts'
import { withoutGuard } from './formula-guard.ts'

/** One error of a row; `column` is the CSV column, `pointer` the place in the data. */
export type RowError = { column?: string; pointer?: string; message: string }

/** The value for an empty cell in the data: none, or null. */
export type EmptyCells = 'omit' | 'null'

/** Builds an item's data from the cells of a row: its JSON text, or all errors of the cells. */
export type DataWriter = (cells: readonly string[]) => { data: string } | { errors: RowError[] }

/**
 * @param columns without `columnErrors`
 * @param options.arrays from `arrayPointers`. In an array, empty cells are null, or omitted at the end. Default: without a schema.
 * @param options.isGuarded texts that a spreadsheet would run as formulas have an apostrophe in front (`formula-guard.ts`)
 */
export function createDataWriter(
  columns: readonly Column[],
  empty: EmptyCells,
  {
    isGuarded = false,
    arrays = arrayPointers(columns, null),
  }: { isGuarded?: boolean; arrays?: readonly string[] } = {},
): DataWriter {
  const leaves = columns.flatMap(({ pointer }, column) =>
    pointer === null ? [] : [{ tokens: parsePointer(pointer) ?? [], column }],
  )
  const root = makeNode(leaves, { pointer: '', arrays: new Set(arrays) })
  return (cells) => {
    if (cells.length !== columns.length) {
      return { errors: [{ message: `the row has ${cells.length} cells, but the header has ${columns.length}` }] }
    }
    const errors: RowError[] = []
    const texts = columns.map((column, n) => {
      const cell = isGuarded ? withoutGuard(cells[n] ?? '') : (cells[n] ?? '')
      if (column.isUndecided && cell !== '') errors.push({ message: nameless(n + 1) })
      if (column.pointer === null) return null
      if (cell === '') return empty === 'null' ? 'null' : null
      const read = readCell(cell, column.type)
      if ('json' in read) return read.json
      errors.push({ column: column.name, pointer: column.pointer, message: read.problem })
      return null
    })
    return errors.length > 0 ? { errors } : { data: printNode(root, texts) ?? (empty === 'null' ? 'null' : '{}') }
  }
}

function nameless(position: number): string {
  return `cell ${position} has a value, but its column has no name; name the column, or map column #${position}`
}

/** A node of the data: a column, or an object or array of nodes. An array has null at positions without a column. */
type Node = { column: number } | { isArray: boolean; members: { key: string; node: Node | null }[] }

function makeNode(
  leaves: readonly { tokens: readonly string[]; column: number }[],
  { pointer, arrays }: { pointer: string; arrays: ReadonlySet<string> },
): Node {
  const [only] = leaves
  if (only?.tokens.length === 0) return { column: only.column }
  const byToken = Map.groupBy(leaves, ({ tokens }) => tokens[0] ?? '')
  const nodes = new Map(
    [...byToken].map(([key, below]) => {
      const inner = below.map(({ tokens, column }) => ({ tokens: tokens.slice(1), column }))
      return [key, makeNode(inner, { pointer: childPointer(pointer, key), arrays })]
    }),
  )
  const isArray = arrays.has(pointer)
  const keys = isArray
    ? positionsTo([...nodes.keys()].reduce((most, key) => Math.max(most, Number(key)), 0))
    : [...nodes.keys()]
  return { isArray, members: keys.map((key) => ({ key, node: nodes.get(key) ?? null })) }
}

function positionsTo(last: number): string[] {
  return Array.from({ length: last + 1 }, (_, n) => String(n))
}

/** The JSON text of a node; null if it is empty, except for the outermost object. */
function printNode(node: Node, texts: readonly (string | null)[], isOutermost = true): string | null {
  if ('column' in node) return texts[node.column] ?? null
  const printed = node.members.map(({ node: member }) => (member === null ? null : printNode(member, texts, false)))
  const last = printed.findLastIndex((text) => text !== null)
  if (last === -1 && !isOutermost) return null
  if (node.isArray)
    return `[${printed
      .slice(0, last + 1)
      .map((text) => text ?? 'null')
      .join(',')}]`
  const members = node.members.flatMap(({ key }, n) => {
    const text = printed[n] ?? null
    return text === null ? [] : `${JSON.stringify(key)}:${text}`
  })
  return `{${members.join(',')}}`
}
