import type { Column } from '#shared/domain/item-transfer/columns.ts'
import type { ImportState } from '#shared/domain/item-transfer/import-rows.ts'
import type { FileFormat } from '#shared/domain/item-transfer/rows.ts'
import type { Reading } from './import-file.ts'

/** An import that has not come to the end of its file: which file, how it is read, and how far it has come. Nothing of what is in it. */
export type SavedImport = {
  version: 2
  importId: string
  file: { name: string; size: number }
  format: FileFormat
  empty: Reading['empty']
  isGuarded: boolean
  /** By position; the names are in the file. */
  columns: readonly Pick<Column, 'pointer' | 'type' | 'isUndecided'>[]
  state: ImportState
  /** The first of the rows that were rejected. */
  refusedRows: readonly number[]
  /** ISO time. */
  savedAt: string
}

export const mostRejectedRows = 1_000

/** Where an import into a list is kept: for its user, as another user who continues would create the last batch again. */
export type ImportPlace = { listId: string; userId: string | null }

const keyOf = ({ listId, userId }: ImportPlace) => `listd-import ${listId} ${userId}`

/** The import into a list that was stopped, or that ended with its page. */
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
    // Without space the import continues; only a reload ends it.
  }
}

export function forgetImport(place: ImportPlace): void {
  localStorage.removeItem(keyOf(place))
}

/** Whether a saved import may be of a file: its rows are compared when it goes on. */
export function isOfFile({ file: { name, size } }: SavedImport, file: File): boolean {
  return name === file.name && size === file.size
}

/** How a saved import reads its file; null: the file has other columns. @param header of CSV, else empty */
export function readingOf(
  { format, empty, isGuarded, columns }: SavedImport,
  header: readonly string[],
): Reading | null {
  if (format === 'csv' && header.length !== columns.length) return null
  return { format, empty, isGuarded, columns: columns.map((column, n) => ({ ...column, name: header[n] ?? '' })) }
}
