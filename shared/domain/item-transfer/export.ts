import { findAt } from '#shared/json/edit/at-pointer.ts'
import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { arrayElements, objectMembers } from '#shared/json/text/offsets.ts'
import { writeCell } from './cell.ts'
import type { Delimiter } from './csv-reader.ts'

/** A page of items from the API: the text of each item, and the cursor of the next page; null: this is the last page. */
export type ItemPageText = { items: readonly string[]; next: string | null }

/** @param text compact JSON of a cursor page */
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

/** Reads the pages of items one after the other. @param ask reads the page after a cursor; '' is the first */
export async function* itemPages(ask: (after: string) => Promise<string>): AsyncGenerator<readonly string[]> {
  let cursor: string | null = ''
  do {
    const { items, next } = readItemPage(await ask(cursor))
    yield items
    cursor = next
  } while (cursor !== null)
}

/** `ndjson`: the data of one item per line; `items`: the whole item; `csv`: columns. */
export type ExportFormat = 'ndjson' | 'items' | 'csv'

/** Writes items as a file, page by page. */
export type ExportWriter = {
  /** The beginning of the file. */
  head: string
  lines(items: readonly string[]): string
  /** The number of items so far whose data has members that are in no column. */
  incomplete(): number
}

/**
 * @param columns of CSV, as `parseExportColumn` returns them
 * @param options.isGuarded CSV texts that a spreadsheet would run as formulas get an apostrophe in front
 */
export function createExportWriter(
  format: ExportFormat,
  columns: readonly string[],
  { isGuarded = false } = {},
): ExportWriter {
  const known = new Set(columns)
  let incomplete = 0
  const lineOf = (item: string) => {
    if (format !== 'csv') return ndjsonLine(item, { whole: format === 'items' })
    if (!known.has('data') && memberColumns([item]).some((column) => !isShown(column, known))) incomplete++
    return csvItemLine(item, columns, { isGuarded })
  }
  return {
    head: format === 'csv' ? csvLine(columns) : '',
    lines: (items) => items.map(lineOf).join(''),
    incomplete: () => incomplete,
  }
}

/** Whether a column shows a member or a part of it. */
function isShown(member: string, columns: ReadonlySet<string>): boolean {
  return columns.has(member) || [...columns].some((column) => column.startsWith(`${member}/`))
}

/** An item as a line of NDJSON: its data alone, or the whole item. */
export function ndjsonLine(item: string, { whole }: { whole: boolean }): string {
  return `${whole ? item : dataOf(item)}\n`
}

const dataOf = (item: string) => findAt(item, '/data') ?? 'null'

/**
 * A column of exported items: a pointer into their data, or the name of a field; `data` is the whole data.
 * @throws Error for any other text
 */
export function parseExportColumn(text: string): string {
  if (itemColumns.includes(text) || (text.startsWith('/') && parsePointer(text) !== null)) return text
  throw new Error(`"${text}" is neither a JSON Pointer, such as /title, nor one of ${itemColumns.join(', ')}.`)
}

/** The fields of items that can be columns, by name. */
export const itemColumns: readonly string[] = [
  'data',
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

/** An item as a line of CSV. Missing values are empty cells. */
export function csvItemLine(item: string, columns: readonly string[], guard = { isGuarded: false }): string {
  const data = dataOf(item)
  const cells = columns.map((column) =>
    writeCell(column.startsWith('/') ? findAt(data, column) : findAt(item, `/${column}`), guard),
  )
  return csvLine(cells)
}

/** Cells as a line by RFC 4180, quoted where needed. */
export function csvLine(cells: readonly string[], delimiter: Delimiter = ','): string {
  const line = cells.map((cell) => (needsQuotes.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(delimiter)
  // An empty line is not a record.
  return `${line === '' ? '""' : line}\r\n`
}

const needsQuotes = /[",;\t\r\n]|^\s|\s$/

/** The default columns: the properties of the list's schema, and the members in the data of the first items. */
export function defaultColumns(schema: unknown, items: readonly string[]): string[] {
  const properties = isObject(schema) && isObject(schema.properties) ? Object.keys(schema.properties) : []
  return [...new Set([...properties.map(columnOf), ...memberColumns(items)])]
}

/** The members in the data of items, in order of first occurrence; data without members is one column. */
export function memberColumns(items: readonly string[]): string[] {
  const found = new Set<string>()
  for (const item of items) {
    const data = dataOf(item)
    if (!data.startsWith('{')) found.add('data')
    else for (const { key } of objectMembers(data, 0)) found.add(columnOf(key))
  }
  return [...found]
}

const columnOf = (member: string) => `/${member.replaceAll('~', '~0').replaceAll('/', '~1')}`
