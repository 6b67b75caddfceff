import type { Index } from '#client/src/types/resources.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { type ItemRow, memberNames, pointerTree, valueTexts } from './item-rows.ts'

/** A column of the table of items: a value of the data, which has a pointer, or a field of the item itself. */
export type Column = {
  /** Its name in the address: a pointer, `data` for all data, or the name of a field. */
  name: string
  label: string
  /** The pointer of its values in the data; '': all data. */
  pointer?: string
  /** Its values are the aliases of the items. */
  alias?: boolean
  /** Its values are hidden from tokens. */
  guarded?: boolean
  /** Its values refer to items of this list. */
  list?: string | undefined
}

/** Fields of the item itself, in their order after the data. */
export const fieldColumns: readonly Column[] = [
  { name: 'tags', label: 'item tags' },
  { name: 'description', label: 'description' },
  { name: 'identity', label: 'owner' },
  { name: 'version', label: 'version' },
  { name: 'size', label: 'size' },
  { name: 'createdAt', label: 'created' },
  { name: 'updatedAt', label: 'updated' },
  { name: 'id', label: 'id' },
]

/** Columns of data that are shown by default, at most. */
const mostData = 6
/** Columns that are offered, at most. */
const mostOffered = 100

/** All columns available for a page of items: the alias, pointers of indexes, keys of the data, fields of the item. */
export function columnsOf(indexes: readonly Index[], rows: readonly ItemRow[]): Column[] {
  const ofIndexes = indexes.toSorted((a, b) => Number(b.alias) - Number(a.alias)).map(indexColumn)
  const found = new Map<string, Column>()
  for (const column of [...ofIndexes, ...keyColumns(rows)]) {
    if (!found.has(column.name) && found.size < mostOffered) found.set(column.name, column)
  }
  return [...found.values(), ...fieldColumns]
}

function indexColumn({ pointer, alias, guard }: Index): Column {
  return { ...dataColumn(pointer), ...(alias ? { alias } : {}), ...(guard ? { guarded: guard } : {}) }
}

function keyColumns(rows: readonly ItemRow[]): Column[] {
  const names = new Set<string>()
  let isWhole = false
  for (const { dataText } of rows) {
    const members = memberNames(dataText, mostOffered)
    for (const name of members ?? []) names.add(name)
    // The data of an item created without data are null: there is nothing to show.
    if (members === null && dataText !== 'null') isWhole = true
  }
  const columns = [...names].map((name) => dataColumn(`/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`))
  return isWhole ? [dataColumn(''), ...columns] : columns
}

/** Adds the lists that the values of columns refer to. @param listAt the list that the values at a pointer refer to; null: none */
export function withReferences(columns: readonly Column[], listAt: (pointer: string) => string | null): Column[] {
  return columns.map((column) => {
    const list = column.pointer ? listAt(column.pointer) : null
    return list === null ? column : { ...column, list }
  })
}

/** The column of the values at a pointer. */
export function dataColumn(pointer: string): Column {
  const steps = parsePointer(pointer) ?? []
  return { name: pointer || 'data', label: steps.join('.') || 'data', pointer }
}

/**
 * The columns to show: those of the address, or by default the first columns of the data, and the tags, owner, version and update time.
 * A default column without a value on this page is left out, and so is a version that all items share. The id replaces missing data columns.
 */
export function shownColumns(
  chosen: readonly string[] | null,
  all: readonly Column[],
  rows: readonly ItemRow[],
): Column[] {
  if (chosen) {
    return chosen.flatMap((name) => {
      const column = all.find((one) => one.name === name)
      if (column) return [column]
      return name.startsWith('/') && parsePointer(name) ? [dataColumn(name)] : []
    })
  }
  const data = withValues(
    all.filter(({ pointer }) => pointer !== undefined),
    rows,
  ).slice(0, mostData)
  const [first] = rows
  const shown: Record<string, boolean> = {
    tags: rows.some(({ tags }) => tags.length > 0),
    identity: rows.some(({ identity }) => identity !== null),
    version: rows.some(({ version }) => version !== first?.version),
    updatedAt: true,
    id: data.length === 0,
  }
  return [...data, ...fieldColumns.filter(({ name }) => shown[name])]
}

/** The columns in which some item has a value that is not null; all of them if there are no items. */
function withValues(columns: readonly Column[], rows: readonly ItemRow[]): Column[] {
  const tree = pointerTree(columns.map(({ pointer = '' }) => [pointer, parsePointer(pointer) ?? []] as const))
  const found = new Set<string>()
  for (const { dataText } of rows) {
    for (const [pointer, text] of valueTexts(dataText, tree)) if (text !== 'null') found.add(pointer)
    if (found.size === columns.length) break
  }
  return columns.filter(({ pointer = '' }) => rows.length === 0 || found.has(pointer))
}

/** The column whose values name the items for the reader, and link to them. */
export function leadColumn(shown: readonly Column[]): Column | undefined {
  const data = shown.filter(({ pointer }) => pointer !== undefined)
  return (
    data.find(({ label }) => /(^|\.)(title|name|displayName|label|subject|headline)$/i.test(label)) ??
    data.find(({ alias }) => alias) ??
    data[0] ??
    shown.find(({ name }) => name === 'id') ??
    shown[0]
  )
}
