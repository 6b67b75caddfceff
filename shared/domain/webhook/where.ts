import { isObject } from '#shared/json/is-object.ts'
import { valueAt } from '#shared/json/pointer.ts'
import { type IndexShape, keysAt } from '../item/index-value.ts'
import { passesKeyFilter, readKeyFilter } from '../item/key-filter.ts'

// Filters on index values say which items' changes a webhook is sent, list by list. They are the filters that item pages have
// (contract 1.4), compared by the same rule with the data of the change itself.

/** The filters of a webhook as clients write and see them: by path names of lists, then of indexes. */
export type Where = Readonly<Record<string, Readonly<Record<string, string>>>>

/** One of them, with what its index was when it was saved: a filter means the same whatever becomes of the index. */
export type SavedFilter = IndexShape & {
  /** The path name of the index. */
  index: string
  source: string
}

/** The filters of a webhook by the ids of lists; those that have none are sent whole. */
export type SavedWhere = Readonly<Record<string, readonly SavedFilter[]>>

/** Whether data passes all filters on a list. */
export type DataFilter = (data: unknown) => boolean

/** The filters of a webhook, ready to be compared with data, by the ids of lists. */
export type DataFilters = ReadonlyMap<string, DataFilter>

/** What an event's payload has of the item's data. `null`: it says nothing of them, because they are too large. */
export type ChangedData = { data: readonly unknown[] } | null

/** What is wrong with a filter on an index of this kind; null: nothing. */
export function filterError({ valueType }: Pick<IndexShape, 'valueType'>, source: string): string | null {
  const filter = readKeyFilter(valueType, source)
  return 'error' in filter ? filter.error : null
}

export function dataFilters(where: SavedWhere): DataFilters {
  return new Map(Object.entries(where).map(([listId, filters]) => [listId, dataFilter(filters)]))
}

/** A filter that cannot be read passes everything: what a later version has saved keeps nothing back here. */
function dataFilter(saved: readonly SavedFilter[]): DataFilter {
  const filters = saved.flatMap(({ source, ...index }) => {
    const filter = readKeyFilter(index.valueType, source)
    return 'error' in filter ? [] : [{ index, filter }]
  })
  return (data) => filters.every(({ index, filter }) => passesKeyFilter(filter, keysAt(index, data)))
}

/**
 * Whether a change is sent: its data pass or, of an update, those before or after it, so that who mirrors the items learns which
 * of them have left. What the payload leaves out cannot be compared, and passes.
 */
export function passesWhere(filter: DataFilter, changed: ChangedData): boolean {
  return changed === null || changed.data.some(filter)
}

/** The data of a change, after it and where there are some before it, from the text of its payload. */
export function changedData(payload: string): ChangedData {
  const data = valueAt(JSON.parse(payload), '/data')
  const items = ['item', 'previous'].map((name) => valueAt(data, `/${name}`)).filter(isObject)
  if (items.some((item) => item.dataOmitted === true)) return null
  return { data: items.map((item) => item.data) }
}

/** The filters as clients see them. @param pathNames of lists by their ids; a list that is gone is shown by its id */
export function shownWhere(where: SavedWhere, pathNames: ReadonlyMap<string, string>): Where {
  const shown = Object.entries(where).map(([listId, filters]) => [
    pathNames.get(listId) ?? listId,
    Object.fromEntries(filters.map(({ index, source }) => [index, source])),
  ])
  return Object.fromEntries(shown)
}
