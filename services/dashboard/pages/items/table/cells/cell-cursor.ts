/** A cell of the table, by the places of its row among the items and of its column among those that are shown. */
export type CellAt = { cell: HTMLTableCellElement; row: number; column: number }

/** The cell that something is in; null: in none that shows a value. */
export function cellAt(target: EventTarget | null): CellAt | null {
  const cell = target instanceof Element ? target.closest('td') : null
  const row = cell?.parentElement
  if (!cell || !(row instanceof HTMLTableRowElement) || cell.cellIndex === 0) return null
  return { cell, row: row.rowIndex - 1, column: cell.cellIndex - 1 }
}

/** Moves the focus to a cell: of the one that names the item, to its link. */
export function focusCell(cell: HTMLTableCellElement | undefined): void {
  if (!cell) return
  const link = cell.querySelector('a')
  if (!link) cell.tabIndex = -1
  const target = link ?? cell
  target.focus()
  target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

const steps: Readonly<Record<string, readonly [right: number, down: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
}

/** Where an arrow key leads from a cell; null: it is no arrow key. Undefined: there is no cell. */
export function neighbourCell({ cell }: CellAt, key: string): HTMLTableCellElement | undefined | null {
  const step = steps[key]
  if (!step) return null
  // The first row has the names of the columns.
  const at = (cell.closest('tr')?.rowIndex ?? 0) + step[1]
  const to = at > 0 ? cell.closest('table')?.rows[at] : undefined
  const column = cell.cellIndex + step[0]
  return column > 0 ? to?.cells[column] : undefined
}
