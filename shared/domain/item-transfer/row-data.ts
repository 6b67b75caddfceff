import { parsePointer } from '#shared/json/pointer.ts'
import { readCell } from './cell.ts'
import type { Column } from './columns.ts'

/** One error of a row; `column` is its name in a CSV file, `pointer` where the error is in the data. */
export type RowError = { column?: string; pointer?: string; message: string }

/** What stands in the data for a cell without text: nothing, or null. */
export type EmptyCells = 'omit' | 'null'

/** Makes an item's data of the cells of a row: its JSON text, or every error of the cells. */
export type DataWriter = (cells: readonly string[]) => { data: string } | { errors: RowError[] }

/**
 * @param columns without `columnErrors`. Below one pointer the positions 0, 1, 2 … make an array, which closes up where cells are left
 *   out.
 */
export function createDataWriter(columns: readonly Column[], empty: EmptyCells): DataWriter {
  const root = makeNode(
    columns.flatMap(({ pointer }, column) =>
      pointer === null ? [] : [{ tokens: parsePointer(pointer) ?? [], column }],
    ),
  )
  return (cells) => {
    if (cells.length !== columns.length) {
      return { errors: [{ message: `the row has ${cells.length} cells, and the header ${columns.length}` }] }
    }
    const errors: RowError[] = []
    const texts = columns.map((column, n) => {
      const cell = cells[n] ?? ''
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

/** A place in the data: a column's, or an object or array of places. */
type Node = { column: number } | { isArray: boolean; members: { key: string; node: Node }[] }

function makeNode(leaves: readonly { tokens: readonly string[]; column: number }[]): Node {
  const [only] = leaves
  if (only?.tokens.length === 0) return { column: only.column }
  const byToken = Map.groupBy(leaves, ({ tokens }) => tokens[0] ?? '')
  const members = [...byToken].map(([key, below]) => ({
    key,
    node: makeNode(below.map(({ tokens, column }) => ({ tokens: tokens.slice(1), column }))),
  }))
  const isArray = members.length > 0 && members.every((_, n) => byToken.has(String(n)))
  return { isArray, members: isArray ? members.sort((a, b) => Number(a.key) - Number(b.key)) : members }
}

/** The JSON text of a place; null where all of it is left out, below the outermost object. */
function printNode(node: Node, texts: readonly (string | null)[], isOutermost = true): string | null {
  if ('column' in node) return texts[node.column] ?? null
  const printed = node.members.flatMap(({ key, node: member }) => {
    const text = printNode(member, texts, false)
    if (text === null) return []
    return node.isArray ? text : `${JSON.stringify(key)}:${text}`
  })
  if (printed.length === 0 && !isOutermost) return null
  return node.isArray ? `[${printed.join(',')}]` : `{${printed.join(',')}}`
}
