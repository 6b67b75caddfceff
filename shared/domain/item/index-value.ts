import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import { dataPath, valueAt } from '#shared/json/pointer.ts'
import type { FieldError } from '../../errors.ts'
import { lengths, maxElements } from '../limits.ts'
import type { ListIndex, ValueType } from '../list/index-fields.ts'
import { isReachable, reachableRule } from '../reachable.ts'
import { isLongerThan } from '../text/code-points.ts'
import { parseDate } from '../text/date.ts'
import { filterKey, numberKey, orderKey } from './index-key.ts'

/**
 * The entry of an item in an index. For an array it is the entry of its smallest element, by which the item is ordered. Items without a
 * value have an entry too, so that pages can list them after the others. Numbers and dates have only the order key. An alias has the filter
 * key of its text for every value type: it is filtered as text.
 */
export type IndexValue = {
  /** The index's `valuesId`. */
  indexId: string
  /** The order key of a text, a number, or a date's epoch milliseconds; null: the item has no value. */
  orderKey: string | null
  filterKey: string | null
  aliasText: string | null
  /** The entries of the other distinct elements of an array; absent: none. */
  elements?: readonly Keys[]
}

export type Keys = Pick<IndexValue, 'orderKey' | 'filterKey'>

/**
 * The entries of an item's parsed data in the indexes of its list (contract 2.3). If the pointer finds no value, or a value of the wrong
 * type, the entry has no keys; this is not an error. Except for `alias`, the flags of the index (also `guard`) do not matter here: they can
 * be changed without rebuilding the index. Indexes whose build has failed get no entries: the next build computes all of them.
 *
 * @returns errors, with paths from `data`, only for alias values: they would not be unique, or are not valid
 */
export function indexValues(
  indexes: readonly ListIndex[],
  data: unknown,
): { values: IndexValue[]; errors: FieldError[] } {
  const values: IndexValue[] = []
  const errors: FieldError[] = []
  for (const index of indexes) {
    if (index.buildStatus === 'failed') continue
    const value = valueAt(data, index.pointer)
    const alias = index.alias ? aliasOf(value) : null
    if (alias && 'error' in alias) errors.push({ path: dataPath(index.pointer), message: alias.error })
    else values.push({ indexId: index.valuesId, ...entryOf(index, value, alias), aliasText: alias?.text ?? null })
  }
  return { values, errors }
}

/**
 * The errors of aliases that a path cannot address (contract 1.2: items are read by alias in the path). An alias that the item already has
 * may stay, because the item can be read by id.
 * @param stored the stored data, as text; absent: the item is new
 */
export function unreachableAliases(indexes: readonly ListIndex[], data: unknown, stored?: string): FieldError[] {
  return indexes.flatMap((index) => {
    const alias = index.alias ? aliasAt(index, data) : null
    if (alias === null || isReachable(alias)) return []
    if (stored !== undefined && aliasAt(index, JSON.parse(stored)) === alias) return []
    return [{ path: dataPath(index.pointer), message: `must not be empty, and ${reachableRule}` }]
  })
}

/** The settings of an index that determine its entries. */
export type IndexShape = Pick<ListIndex, 'pointer' | 'valueType' | 'alias'>

/** The keys of parsed data in one index; for an array, those of each element. Empty if the alias is invalid. */
export function keysAt({ pointer, valueType, alias }: IndexShape, data: unknown): readonly Keys[] {
  const value = valueAt(data, pointer)
  const named = alias ? aliasOf(value) : null
  const { elements = [], ...keys } = entryOf({ valueType, alias }, value, named && 'text' in named ? named : null)
  return [keys, ...elements]
}

type Entry = Pick<IndexValue, 'orderKey' | 'filterKey' | 'elements'>

function entryOf(
  { valueType, alias }: Omit<IndexShape, 'pointer'>,
  value: unknown,
  named: { text: string } | null,
): Entry {
  if (alias || !Array.isArray(value)) return keysOf(valueType, value, named)
  const [least = noKeys, ...elements] = keysOfElements(valueType, value)
  return elements.length > 0 ? { ...least, elements } : least
}

const noKeys: Keys = { orderKey: null, filterKey: null }

/** The keys of the first distinct elements of the index's type, in their order. */
function keysOfElements(valueType: ValueType, array: readonly unknown[]): Keys[] {
  const found = new Map<string, Keys & { orderKey: string }>()
  for (const element of array) {
    const { orderKey, filterKey } = keysOf(valueType, element, null)
    if (orderKey === null || found.has(filterKey ?? orderKey)) continue
    found.set(filterKey ?? orderKey, { orderKey, filterKey })
    if (found.size === maxElements) break
  }
  return [...found.values()].sort((one, other) => compareTexts(one.orderKey, other.orderKey))
}

/** The alias of an item in an alias index, by its parsed data; null: none, or invalid. */
export function aliasAt({ pointer }: Pick<ListIndex, 'pointer'>, data: unknown): string | null {
  const alias = aliasOf(valueAt(data, pointer))
  return alias && 'text' in alias ? alias.text : null
}

/** Whether an entry has a value, by which items can be found. */
export function hasValue({ orderKey, filterKey }: IndexValue): boolean {
  return orderKey !== null || filterKey !== null
}

function keysOf(valueType: ValueType, value: unknown, alias: { text: string } | null): Keys {
  const text = alias?.text ?? (valueType === 'string' && typeof value === 'string' ? value : null)
  const number = valueType === 'string' ? null : numberOf(value, valueType)
  const textKey = valueType === 'string' && text !== null ? orderKey(text) : null
  return {
    orderKey: number === null ? textKey : numberKey(number),
    filterKey: text === null ? null : filterKey(text),
  }
}

function numberOf(value: unknown, valueType: ValueType): number | null {
  if (valueType === 'number') return typeof value === 'number' ? value : null
  return typeof value === 'string' ? parseDate(value) : null
}

/** A string, or the text of a number, for every value type; anything else is not an alias. */
function aliasOf(value: unknown): { text: string } | { error: string } | null {
  if (typeof value === 'number') {
    // Such numbers are rounded when parsed, so two different numbers would become the same alias.
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return { error: 'is too big for a numeric alias' }
    return { text: String(value) }
  }
  if (typeof value !== 'string') return null
  if (isLongerThan(value, lengths.aliasValue)) return { error: `must be at most ${lengths.aliasValue} characters long` }
  return value.includes('\u0000') ? { error: 'must not contain U+0000' } : { text: value }
}
