import { dataPath, valueAt } from '#shared/json/pointer.ts'
import type { FieldError } from '../../errors.ts'
import { lengths } from '../limits.ts'
import type { ListIndex, ValueType } from '../list/index-fields.ts'
import { isLongerThan } from '../text/code-points.ts'
import { parseDate } from '../text/date.ts'
import { filterKey, orderKey } from './index-key.ts'

/**
 * An index entry of one item. Numbers and dates are `numberValue`, strings the two keys; an alias is exact, and has the keys
 * of its text for every value type, because it is filtered as text.
 */
export type IndexValue = {
  /** The index's `valuesId`. */
  indexId: string
  /** A number as it is, a date as epoch milliseconds. */
  numberValue: number | null
  orderKey: string | null
  filterKey: string | null
  aliasText: string | null
}

type Keys = Pick<IndexValue, 'numberValue' | 'orderKey' | 'filterKey'>

/**
 * The entries of an item's parsed data in the indexes of its list (contract 2.3). Where the pointer finds no value, or one of
 * another type than the index's, the item has no entry; that is not an error. Except for `alias` the flags, also `guard`, do
 * not matter here: they can be changed without rebuilding the index. Indexes whose build has failed get no entries: the next
 * build computes all of them.
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
    const keys = keysOf(value, index.valueType)
    const alias = index.alias ? aliasOf(value) : null
    if (alias && 'error' in alias) errors.push({ path: dataPath(index.pointer), message: alias.error })
    else if (keys || alias) values.push({ ...indexValue(index, alias), ...keys })
  }
  return { values, errors }
}

function indexValue({ valuesId }: ListIndex, alias: { text: string } | null): IndexValue {
  const keys = alias ? textKeys(alias.text) : { orderKey: null, filterKey: null }
  return { indexId: valuesId, numberValue: null, ...keys, aliasText: alias?.text ?? null }
}

function keysOf(value: unknown, valueType: ValueType): Partial<Keys> | null {
  if (valueType === 'number') return typeof value === 'number' ? { numberValue: storableNumber(value) } : null
  if (typeof value !== 'string') return null
  if (valueType === 'string') return textKeys(value)
  const time = parseDate(value)
  return time === null ? null : { numberValue: time }
}

function textKeys(text: string): Pick<Keys, 'orderKey' | 'filterKey'> {
  return { orderKey: orderKey(text), filterKey: filterKey(text) }
}

/**
 * Numbers beyond a double's range were parsed to ±Infinity, which not every database stores: they become the largest doubles.
 * Adding 0 turns -0 into 0.
 */
function storableNumber(value: number): number {
  return Math.min(Math.max(value, -Number.MAX_VALUE), Number.MAX_VALUE) + 0
}

/** A string, or the text of a number, for every value type; anything else is not an alias. */
function aliasOf(value: unknown): { text: string } | { error: string } | null {
  if (typeof value === 'number') {
    // Such numbers have been rounded: two different ones in the data would become the same alias.
    if (Math.abs(value) > Number.MAX_SAFE_INTEGER) return { error: 'is too big for a numeric alias' }
    return { text: String(value) }
  }
  if (typeof value !== 'string') return null
  if (isLongerThan(value, lengths.aliasValue)) return { error: `must be at most ${lengths.aliasValue} characters long` }
  return value.includes('\u0000') ? { error: 'must not contain U+0000' } : { text: value }
}
