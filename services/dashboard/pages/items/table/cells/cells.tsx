import { useEffect, useRef, useState } from 'preact/hooks'
import { toListdError } from '#services/dashboard/api/errors.ts'
import { announce } from '#services/dashboard/parts/controls/announce.tsx'
import { sentence } from '#services/dashboard/parts/display/text.tsx'
import { usePageKeys } from '#services/dashboard/parts/page/page-keys.ts'
import { messageOf } from '#services/dashboard/parts/problems/problem.tsx'
import type { Cell } from '../cell.ts'
import type { Column } from '../columns.ts'
import type { ItemRow } from '../item-rows.ts'
import { type CellAt, cellAt, focusCell, neighbourCell } from './cell-cursor.ts'
import { CellEditor } from './cell-editor.tsx'
import { type CellDraft, cellDraft } from './cell-value.ts'
import { ExactValue } from './exact-value.tsx'
import { type CellPlace, valueAt, writeCell } from './write-cell.ts'

export type CellsProps = {
  table: HTMLTableElement
  /** The name of the list in the address. */
  list: string
  rows: readonly ItemRow[]
  columns: readonly Column[]
  cells: readonly (readonly (Cell | undefined)[])[]
  /** Called with an item that was stored or read again. */
  onWritten: (row: ItemRow) => void
  /** Changes the width of a column. @param column its index. @param isWider false: narrower */
  onWidth: (column: number, isWider: boolean) => void
}

type Editing = CellAt & { place: CellPlace; label: string; draft: CellDraft }

/** Adds functions to the cells of the table: moving between cells, showing the exact value, and editing it in place. */
export function Cells({ table, list, rows, columns, cells, onWritten, onWidth }: CellsProps) {
  const [at, setAt] = useState<CellAt | null>(null)
  const [editing, setEditing] = useState<Editing | null>(null)
  const edit = (found: CellAt | null) => {
    const begun = found && beginEdit({ list, rows, columns, cells }, found)
    if (typeof begun === 'string') announce(begun)
    else if (begun) setEditing(begun)
  }
  const close = () => {
    focusCell(editing?.cell)
    setEditing(null)
  }
  usePageKeys([{ key: 'F2', what: 'Edit the value of the cell', run: () => edit(cellAt(document.activeElement)) }])
  const onKeyDown = (event: KeyboardEvent) => {
    const found = cellAt(event.target)
    if (!found || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.shiftKey && /^Arrow(Left|Right)$/.test(event.key)) onWidth(found.column, event.key === 'ArrowRight')
    else if (!pressInCell(found, event, edit)) return
    event.preventDefault()
  }
  useListeners(table, {
    keydown: (event) => onKeyDown(event as KeyboardEvent),
    click: (event) => isWide() && focusCell(ownCell(event)),
    dblclick: (event) => isWide() && edit(cellAt(event.target)),
    focusin: ({ target }) => setAt(target instanceof HTMLTableCellElement ? cellAt(target) : null),
    focusout: () => setAt(null),
  })
  const row = at && rows[at.row]
  const column = at && columns[at.column]
  return (
    <>
      {row && column && !editing && <ExactValue row={row} column={column} onEdit={() => edit(at)} />}
      {editing && (
        <CellEditor
          key={`${editing.row} ${editing.column}`}
          cell={editing.cell}
          label={editing.label}
          draft={editing.draft}
          onClose={close}
          onSave={(json) => store({ ...editing, rows, onWritten, onClose: close }, json)}
        />
      )}
    </>
  )
}

/** Listens to events of an element while the component is mounted. The set of event types must not change. */
function useListeners(element: HTMLElement, listeners: Readonly<Record<string, (event: Event) => unknown>>): void {
  const latest = useRef(listeners)
  latest.current = listeners
  useEffect(() => {
    const end = new AbortController()
    for (const type of Object.keys(listeners))
      element.addEventListener(type, (event) => latest.current[type]?.(event), { signal: end.signal })
    return () => end.abort()
  }, [element])
}

/** Whether the table has cells. On a phone, each row is a card that is a link as a whole. */
const isWide = () => matchMedia('(min-width: 44.01rem)').matches

/** The cell of a click, unless the click was on a link, button or input in it. */
function ownCell({ target }: Event): HTMLTableCellElement | undefined {
  return target instanceof Element && target.closest('a, button, input') ? undefined : cellAt(target)?.cell
}

/** @returns whether the key is for the cell */
function pressInCell(found: CellAt, event: KeyboardEvent, edit: (found: CellAt) => void): boolean {
  const isCell = event.target === found.cell
  if (isCell && event.key === 'Enter') edit(found)
  else if (isCell && event.key === 'Escape') found.cell.parentElement?.querySelector<HTMLElement>('.lead a')?.focus()
  else {
    const next = neighbourCell(found, event.key)
    if (next === null) return false
    focusCell(next)
  }
  return true
}

type Shown = Pick<CellsProps, 'list' | 'rows' | 'columns' | 'cells'>

/** @returns a text: why the value is not edited in its cell, as a sentence */
function beginEdit({ list, rows, columns, cells }: Shown, at: CellAt): Editing | string | null {
  const [row, column] = [rows[at.row], columns[at.column]]
  if (!row || !column) return null
  const { pointer, label } = column
  if (pointer === undefined) return `Edit “${label}” on the page of the item.`
  const text = valueAt(row, pointer)
  // A missing value below the top level needs an object that contains it.
  if (text === undefined && pointer.lastIndexOf('/') !== 0) return 'The item has no object to hold this value.'
  const draft = cellDraft(
    text,
    cells.map((one) => one[at.column]),
  )
  return typeof draft === 'string' ? draft : { ...at, place: { list, row, pointer }, label, draft }
}

type Storing = Editing & Pick<CellsProps, 'rows' | 'onWritten'> & { onClose: () => void }

/** @returns why the value was not stored, as a sentence; null: it was, or it is the same */
async function store(editing: Storing, json: string): Promise<string | null> {
  const { place, label, rows, onWritten, onClose } = editing
  // Use the newest version of the row: the item may have been stored since editing began.
  const now = { ...place, row: rows[editing.row] ?? place.row }
  const before = valueAt(now.row, place.pointer)
  if (before === json) {
    onClose()
    return null
  }
  try {
    const { row, isStored } = await writeCell(now, json)
    onWritten(row)
    if (!isStored) return changedWords(valueAt(row, place.pointer))
    onClose()
    announce(`“${label}” was changed.`, { undo: () => undo({ ...place, row }, { before, label, onWritten }) })
    return null
  } catch (failure) {
    return whyNot(failure)
  }
}

const changedWords = (text: string | undefined) =>
  `Somebody else has changed it: it ${text === undefined ? 'is gone' : `is ${text.slice(0, 200)} now`}. Enter replaces that, Escape keeps it.`

/** The rule that the value breaks, or another reason why it was rejected. */
function whyNot(failure: unknown): string {
  const error = toListdError(failure)
  const rule = error.details?.errors?.[0]?.message
  return rule ? sentence(rule) : messageOf(error)
}

type Undone = Pick<CellsProps, 'onWritten'> & { before: string | undefined; label: string }

async function undo(place: CellPlace, { before, label, onWritten }: Undone): Promise<void> {
  try {
    const { row, isStored } = await writeCell(place, before)
    onWritten(row)
    if (isStored) announce(`“${label}” was restored.`)
    else announce(`“${label}” was not restored: somebody else has changed it since.`, { bad: true })
  } catch (failure) {
    announce(`Undo failed. ${whyNot(failure)}`, { bad: true })
  }
}
