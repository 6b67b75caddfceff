import { findAt } from '#shared/json/at-pointer.ts'
import { arrayElements, objectMembers } from '#shared/json/offsets.ts'
import { writeCell } from './cell.ts'
import type { Delimiter } from './csv-reader.ts'

/** A page of items as the API answers it: the text of each item, and the cursor of the next page; null: this is the last. */
export type ItemPageText = { items: readonly string[]; next: string | null }

/** @param text compact JSON of a page by cursor */
export function readItemPage(text: string): ItemPageText {
  const members = objectMembers(text, 0)
  const textOf = (name: string) => {
    const member = members.find(({ key }) => key === name)
    return member ? text.slice(member.value, member.end) : 'null'
  }
  const data = textOf('data')
  const items = arrayElements(data, 0).map(({ start, end }) => data.slice(start, end))
  return { items, next: JSON.parse(textOf('next')) as string | null }
}

/** How an item is written as NDJSON: its data alone, or all of it. */
export function ndjsonLine(item: string, { whole }: { whole: boolean }): string {
  return `${whole ? item : (findAt(item, '/data') ?? 'null')}\n`
}

/**
 * A column of exported items: a pointer into their data, or the name of another field, such as `id`.
 * @throws Error for another text
 */
export function parseExportColumn(text: string): string {
  if (text === '' || text.startsWith('/') || itemColumns.includes(text)) return text
  throw new Error(`"${text}" is neither a JSON Pointer, such as /title, nor one of ${itemColumns.join(', ')}.`)
}

/** Fields of an item that are columns by their names. */
export const itemColumns = [
  'id',
  'createdAt',
  'updatedAt',
  'version',
  'description',
  'tags',
  'readonly',
  'activated',
  'locked',
  'size',
  'identity',
]

/** An item as the line of a CSV file. What it does not have is an empty cell. */
export function csvItemLine(item: string, columns: readonly string[]): string {
  const data = findAt(item, '/data') ?? 'null'
  const cells = columns.map((column) =>
    writeCell(itemColumns.includes(column) ? findAt(item, `/${column}`) : findAt(data, column)),
  )
  return csvLine(cells)
}

/** Cells as a line by RFC 4180, in quotes where they need them. */
export function csvLine(cells: readonly string[], delimiter: Delimiter = ','): string {
  const line = cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)
  // An empty line is no record.
  return `${line === '' ? '""' : line}\r\n`
}

const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** Pointers of the members that the data of these items have, as columns in the order in which they are met. */
export function memberColumns(items: readonly string[]): string[] {
  const found = new Set<string>()
  for (const item of items) {
    const data = findAt(item, '/data') ?? 'null'
    if (!data.startsWith('{')) found.add('')
    else for (const { key } of objectMembers(data, 0)) found.add(`/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`)
  }
  return [...found]
}
