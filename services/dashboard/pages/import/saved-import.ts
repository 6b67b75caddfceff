import { arrayPointers } from '#shared/domain/item-transfer/array-pointers.ts'
import type { Column } from '#shared/domain/item-transfer/columns.ts'
import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import type { FileFormat } from '#shared/domain/item-transfer/rows.ts'
import type { Reading } from './import-file.ts'

/** An import that has not reached the end of its file: the file, how it is read, and the progress. It has no content of the file. */
export type SavedImport = {
  version: 2
  importId: string
  file: { name: string; size: number }
  format: FileFormat
  empty: Reading['empty']
  isGuarded: boolean
  /** By position. The names are read from the file. */
  columns: readonly Pick<Column, 'pointer' | 'type' | 'isUndecided'>[]
  /** Missing in those of earlier versions. */
  arrays?: readonly string[]
  state: ImportState
  /** The first of the rows that were rejected. */
  refusedRows: readonly number[]
  /** ISO time. */
  savedAt: string
}

export const mostRejectedRows = 1_000

/** The key of a saved import: its list and its user, because another user who continues would create the last batch again. */
export type ImportPlace = { listId: string; userId: string | null }

const keyOf = ({ listId, userId }: ImportPlace) => `listd-import ${listId} ${userId}`

/** The import into a list that was stopped, or interrupted when its page was closed. */
export function readSavedImport(place: ImportPlace): SavedImport | null {
  try {
    const saved = JSON.parse(localStorage.getItem(keyOf(place)) ?? 'null') as SavedImport | null
    return saved?.version === 2 && typeof saved.state?.row === 'number' && Array.isArray(saved.columns) ? saved : null
  } catch {
    return null
  }
}

export function saveImport(place: ImportPlace, saved: SavedImport): void {
  try {
    localStorage.setItem(keyOf(place), JSON.stringify(saved))
  } catch {
    // Without storage space, the import runs on, but cannot continue after a reload.
  }
}

export function forgetImport(place: ImportPlace): void {
  localStorage.removeItem(keyOf(place))
}

/** Whether a saved import may belong to a file. The rows are compared when it continues. */
export function isOfFile({ file: { name, size } }: SavedImport, file: File): boolean {
  return name === file.name && size === file.size
}

/** How a saved import reads its file; null: the file has other columns. @param header of CSV, else empty */
export function readingOf(
  { format, empty, isGuarded, columns: saved, arrays }: SavedImport,
  header: readonly string[],
): Reading | null {
  if (format === 'csv' && header.length !== saved.length) return null
  const columns = saved.map((column, n) => ({ ...column, name: header[n] ?? '' }))
  return { format, empty, isGuarded, columns, arrays: arrays ?? arrayPointers(columns, null) }
}
