import { isObject } from '#shared/json/is-object.ts'
import { valueAt } from '#shared/json/pointer.ts'
import type { FilteredField } from '../item/filters.ts'
import { type IndexShape, keysAt } from '../item/index-value.ts'
import { readFieldFilter } from '../item/questions/field-filter.ts'
import { passesKeyFilter, readKeyFilter } from '../item/questions/key-filter.ts'
import { type MarkLeaf, type Marks, passesMark } from '../item/questions/passes-question.ts'
import type { Question } from '../item/questions/question.ts'
import { isGroup } from '../item/questions/where.ts'

// Conditions on fields and index values select, per list, the items whose changes a webhook is sent. They are the conditions of item pages
// (contract 1.4), evaluated by the same rule on the item of the change.

/** The conditions of a webhook as clients write and see them, by path names of lists: objects as in `where` of item pages. */
export type Where = Readonly<Record<string, Conditions>>
/** By path names of indexes and names of fields, and `or`, `and` and `not`. */
export type Conditions = { readonly [name: string]: unknown }

/** A filter, with the settings of its index when it was saved, so that later changes of the index do not change its meaning. */
export type SavedFilter = IndexShape & {
  /** The path name of the index. */
  index: string
  source: string
}

type ComparedField = FilteredField<'flag' | 'tags'>
/** The fields of items that conditions can be on; an index with such a name is prefixed with `index.`. */
export const comparedFields = ['activated', 'tagged', 'readonly'] as const satisfies readonly ComparedField[]

export function isComparedField(name: string): name is ComparedField {
  return (comparedFields as readonly string[]).includes(name)
}

/** A condition on a field of the item. */
type SavedFieldFilter = { field: ComparedField; source: string }

/** Several conditions must all hold, also within each branch of `or` and `and`. */
export type SavedCondition =
  | SavedFilter
  | SavedFieldFilter
  | { or: readonly SavedConditions[] }
  | { and: readonly SavedConditions[] }
  | { not: SavedConditions }
export type SavedConditions = readonly SavedCondition[]

/** The conditions of a webhook by list id; all changes of a list without conditions are sent. */
export type SavedWhere = Readonly<Record<string, SavedConditions>>

/** An item before or after a change, as its payload has it. `data` absent: it is too large for the payload. */
export type ChangedItem = { marks: Marks | null; data?: { value: unknown } }

/** Whether an item passes all conditions on a list; null: the payload does not say. */
export type ItemFilter = (item: ChangedItem) => boolean | null

/** The conditions of a webhook, ready to be compared with items, by the ids of lists. */
export type ItemFilters = ReadonlyMap<string, ItemFilter>

/** The error of a filter on an index of this kind; null: none. */
export function filterError({ valueType }: Pick<IndexShape, 'valueType'>, source: string): string | null {
  const filter = readKeyFilter(valueType, source)
  return 'error' in filter ? filter.error : null
}

/** How many filters conditions have. */
export function countFilters(conditions: SavedConditions): number {
  return filtersIn(conditions).length
}

/** All filters of conditions. */
export function filtersIn(conditions: SavedConditions): (SavedFilter | SavedFieldFilter)[] {
  return conditions.flatMap((condition) => {
    if ('or' in condition) return condition.or.flatMap(filtersIn)
    if ('and' in condition) return condition.and.flatMap(filtersIn)
    return 'not' in condition ? filtersIn(condition.not) : [condition]
  })
}

export function itemFilters(where: SavedWhere): ItemFilters {
  return new Map(Object.entries(where).map(([listId, conditions]) => [listId, allOf(conditions)]))
}

/** A condition that cannot be parsed, for example from a later version, always returns null, so it withholds nothing. */
function filterOf(condition: SavedCondition): ItemFilter {
  if ('or' in condition) return anyOf(condition.or.map(allOf))
  if ('and' in condition) return allOf(condition.and.flat())
  if ('not' in condition) return contraryOf(allOf(condition.not))
  if ('field' in condition) return fieldFilter(condition)
  const { source, ...index } = condition
  const filter = readKeyFilter(index.valueType, source)
  if ('error' in filter) return () => null
  return ({ data }) => (data ? passesKeyFilter(filter, keysAt(index, data.value)) : null)
}

function fieldFilter({ field, source }: SavedFieldFilter): ItemFilter {
  const question = isComparedField(field) ? readFieldFilter(field, source) : { error: 'of a later version' }
  return 'error' in question ? () => null : ({ marks }) => marks && passesMarks(question, marks)
}

/** The compared fields have only these kinds of questions. */
function passesMarks(question: Question, marks: Marks): boolean {
  return question.kind === 'not' ? !passesMarks(question.of, marks) : passesMark(question as MarkLeaf, marks)
}

/** False if any condition does not hold, even if others are unknown. */
function allOf(conditions: SavedConditions): ItemFilter {
  const filters = conditions.map(filterOf)
  return (item) => {
    let passes: boolean | null = true
    for (const filter of filters) {
      const one = filter(item)
      if (one === false) return false
      passes &&= one
    }
    return passes
  }
}

function anyOf(filters: readonly ItemFilter[]): ItemFilter {
  return contraryOf((item) => {
    let fails: boolean | null = true
    for (const filter of filters) {
      const one = filter(item)
      if (one === true) return false
      if (one === null) fails = null
    }
    return fails
  })
}

function contraryOf(filter: ItemFilter): ItemFilter {
  return (item) => {
    const passes = filter(item)
    return passes === null ? null : !passes
  }
}

/**
 * Whether a change is sent. The item must pass; for an update or a restore over an existing item, its state before or after must pass, so
 * that a mirror learns which items have left. An unknown result passes.
 */
export function passesWhere(filter: ItemFilter, changed: readonly ChangedItem[]): boolean {
  return changed.some((item) => filter(item) !== false)
}

/** The item of a change from its payload, after the change and, if present, before it. */
export function changedItems(payload: string): ChangedItem[] {
  const data = valueAt(JSON.parse(payload), '/data')
  const items = ['item', 'previous'].map((name) => valueAt(data, `/${name}`)).filter(isObject)
  return items.map((item) => ({
    marks: marksOf(item),
    ...(item.dataOmitted !== true && { data: { value: item.data } }),
  }))
}

function marksOf({ tags, readonly, activated }: Record<string, unknown>): Marks | null {
  const isKnown = Array.isArray(tags) && typeof readonly === 'boolean' && typeof activated === 'boolean'
  return isKnown ? { tags, readonly, activated } : null
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
    else {
      const name = 'field' in condition ? condition.field : shownName(condition.index)
      sources.set(name, [...(sources.get(name) ?? []), condition.source])
    }
  }
  const filters = [...sources].map(([name, all]) => [name, all.length > 1 ? all : all[0]])
  return { ...Object.fromEntries(filters), ...combined }
}

/** The shown name of an index; prefixed if a field or a group (`or`, `and`, `not`) has the same name. */
function shownName(index: string): string {
  return isGroup(index) || isComparedField(index) ? `index.${index}` : index
}
