/** A cell of the table. `row` is the index of its item, `column` the index of its column among those that are shown. */
export type CellAt = { cell: HTMLTableCellElement; row: number; column: number }

/** The cell that contains an element; null: it is not in a cell that shows a value. */
export function cellAt(target: EventTarget | null): CellAt | null {
  const cell = target instanceof Element ? target.closest('td') : null
  const row = cell?.parentElement
  if (!cell || !(row instanceof HTMLTableRowElement) || cell.cellIndex === 0) return null
  return { cell, row: row.rowIndex - 1, column: cell.cellIndex - 1 }
}

/** Moves the focus to a cell, or to its link if it is the cell that names the item. */
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

/** The cell that an arrow key moves to; null: the key is not an arrow key; undefined: there is no cell. */
export function neighbourCell({ cell }: CellAt, key: string): HTMLTableCellElement | undefined | null {
  const step = steps[key]
  if (!step) return null
  // The first row contains the column names.
  const at = (cell.closest('tr')?.rowIndex ?? 0) + step[1]
  const to = at > 0 ? cell.closest('table')?.rows[at] : undefined
  const column = cell.cellIndex + step[0]
  return column > 0 ? to?.cells[column] : undefined
}
