import { isObject } from '#shared/json/is-object.ts'
import { valueAt } from '#shared/json/pointer.ts'
import { type IndexShape, keysAt } from '../item/index-value.ts'
import { passesKeyFilter, readKeyFilter } from '../item/key-filter.ts'

// Filters on index values say which items' changes a webhook is sent, list by list. They are the conditions that item pages have
// (contract 1.4), compared by the same rule with the data of the change itself.

/** The conditions of a webhook as clients write and see them, by path names of lists: objects as `where` of item pages has them. */
export type Where = Readonly<Record<string, Conditions>>
/** By path names of indexes, and `or`, `and` and `not`. */
export type Conditions = { readonly [name: string]: unknown }

/** A filter, with what its index was when it was saved: it means the same whatever becomes of the index. */
export type SavedFilter = IndexShape & {
  /** The path name of the index. */
  index: string
  source: string
}

/** Of several conditions all have to hold, of each branch of `or` and `and` likewise. */
export type SavedCondition =
  | SavedFilter
  | { or: readonly SavedConditions[] }
  | { and: readonly SavedConditions[] }
  | { not: SavedConditions }
export type SavedConditions = readonly SavedCondition[]

/** The conditions of a webhook by the ids of lists; those that have none are sent whole. */
export type SavedWhere = Readonly<Record<string, SavedConditions>>

/** Whether data passes all conditions on a list. */
export type DataFilter = (data: unknown) => boolean

/** The conditions of a webhook, ready to be compared with data, by the ids of lists. */
export type DataFilters = ReadonlyMap<string, DataFilter>

/** What an event's payload has of the item's data. `null`: it says nothing of them, because they are too large. */
export type ChangedData = { data: readonly unknown[] } | null

/** What is wrong with a filter on an index of this kind; null: nothing. */
export function filterError({ valueType }: Pick<IndexShape, 'valueType'>, source: string): string | null {
  const filter = readKeyFilter(valueType, source)
  return 'error' in filter ? filter.error : null
}

/** How many filters conditions have. */
export function countFilters(conditions: SavedConditions): number {
  return conditions.reduce((sum, condition) => {
    if ('or' in condition) return sum + condition.or.reduce((of, branch) => of + countFilters(branch), 0)
    if ('and' in condition) return sum + condition.and.reduce((of, branch) => of + countFilters(branch), 0)
    return sum + ('not' in condition ? countFilters(condition.not) : 1)
  }, 0)
}

export function dataFilters(where: SavedWhere): DataFilters {
  return new Map(Object.entries(where).map(([listId, conditions]) => [listId, dataFilter(conditions)]))
}

/** A condition that cannot be read passes everything: what a later version has saved keeps nothing back here. */
function dataFilter(conditions: SavedConditions): DataFilter {
  const filters = conditions.map(filterOf).filter((filter) => filter !== null)
  return (data) => filters.every((filter) => filter(data))
}

/** @returns null for one that cannot be read */
function filterOf(condition: SavedCondition): DataFilter | null {
  if ('or' in condition) {
    const branches = filtersOf(condition.or.map(allOf))
    return branches && ((data) => branches.some((passes) => passes(data)))
  }
  if ('and' in condition) return allOf(condition.and.flat())
  if ('not' in condition) {
    const passes = allOf(condition.not)
    return passes && ((data) => !passes(data))
  }
  const { source, ...index } = condition
  const filter = readKeyFilter(index.valueType, source)
  return 'error' in filter ? null : (data) => passesKeyFilter(filter, keysAt(index, data))
}

function allOf(conditions: SavedConditions): DataFilter | null {
  const filters = filtersOf(conditions.map(filterOf))
  return filters && ((data) => filters.every((passes) => passes(data)))
}

/** @returns null where one of them cannot be read */
function filtersOf(filters: readonly (DataFilter | null)[]): DataFilter[] | null {
  const read = filters.filter((filter) => filter !== null)
  return read.length === filters.length ? read : null
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

/** The conditions as clients see them. @param pathNames of lists by their ids; a list that is gone is shown by its id */
export function shownWhere(where: SavedWhere, pathNames: ReadonlyMap<string, string>): Where {
  const shown = Object.entries(where).map(([listId, conditions]) => [
    pathNames.get(listId) ?? listId,
    shownConditions(conditions),
  ])
  return Object.fromEntries(shown)
}

/** Filters with the texts of their sources; several on one index are an array. */
export function shownConditions(conditions: SavedConditions): Conditions {
  const sources = new Map<string, string[]>()
  const combined: Record<string, unknown> = {}
  for (const condition of conditions) {
    if ('or' in condition) combined.or = condition.or.map(shownConditions)
    else if ('and' in condition) combined.and = condition.and.map(shownConditions)
    else if ('not' in condition) combined.not = shownConditions(condition.not)
    else sources.set(condition.index, [...(sources.get(condition.index) ?? []), condition.source])
  }
  const filters = [...sources].map(([index, all]) => [shownName(index), all.length > 1 ? all : all[0]])
  return { ...Object.fromEntries(filters), ...combined }
}

const indexPrefix = 'index.'
const combinations = ['or', 'and', 'not']

function shownName(index: string): string {
  return combinations.includes(index) ? indexPrefix + index : index
}

/** The path name of the index that a condition is named like, perhaps behind `index.`. */
export function namedIndex(name: string): string {
  return name.startsWith(indexPrefix) ? name.slice(indexPrefix.length) : name
}
