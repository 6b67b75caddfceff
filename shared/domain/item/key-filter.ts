import { lengths } from '../limits.ts'
import type { ValueType } from '../list/index-fields.ts'
import { parseDate } from '../text/date.ts'
import { mapTexts, passesText, readTextFilter, type TextFilter } from '../text/filter.ts'
import { startingWith } from '../text/starting-with.ts'
import { filterKey, numberKey, orderKey } from './index-key.ts'
import type { Keys } from './index-value.ts'

/**
 * A filter on the entries of an index (contract 1.4): the order keys that pass, and what their filter keys must pass beside.
 * Order keys are compared by code points.
 */
export type KeyFilter = { keys: KeySet; texts: readonly TextFilter[] }

/** Order keys: some, or those from `min` up to and without `end`; null: to the last. */
export type KeySet = { kind: 'any-of'; keys: readonly string[] } | KeyRange
export type KeyRange = { kind: 'range'; min: string; end: string | null }

/** Every key, of whatever value: there is none before the empty text. */
export const allKeys: KeyRange = { kind: 'range', min: '', end: null }

/**
 * Parses a filter on an index: text as everywhere, numbers plain or with `eq:`, `lt:`, `lte:`, `gt:` or `gte:`, dates plain or
 * with `eq:`, `before:` or `after:`, both of which include the date; of both any of several with `in:a,b`.
 * @returns what is wrong with it, if anything
 */
export function readKeyFilter(valueType: ValueType, source: string): KeyFilter | { error: string } {
  if (valueType === 'string') return textKeyFilter(readTextFilter(source))
  const { prefixes, parse, error } = scalars[valueType]
  const [, prefix = 'eq', rest = source] = /^([a-z]+):(.*)$/s.exec(source) ?? []
  const values = (prefix === 'in' ? rest.split(',') : [rest]).map(parse)
  if (!values.every((value) => value !== null)) return { error }
  const keys = [...new Set(values.map(numberKey))]
  if (prefix === 'in') return { keys: { kind: 'any-of', keys }, texts: [] }
  const keysOf = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : undefined
  const [key] = keys
  return keysOf && key !== undefined ? { keys: keysOf(key), texts: [] } : { error }
}

/** A filter on text. The order key alone decides where it holds the whole text. */
export function textKeyFilter(filter: TextFilter): KeyFilter {
  const keyed = filterKeyFilter(filter)
  if (filter.kind === 'contains') return { keys: allKeys, texts: [keyed] }
  const keys = [...new Set((filter.kind === 'in' ? filter.texts : [filter.text]).map(orderKey))]
  const isWhole = keys.every((key) => key.length < lengths.orderKey)
  return {
    keys: filter.kind === 'starts' ? { kind: 'range', ...startingWith(keys[0] ?? '') } : { kind: 'any-of', keys },
    texts: isWhole ? [] : [keyed],
  }
}

/** A filter on text for the filter keys alone: those of an alias, whose order key may be that of a number or date. */
export function filterKeyFilter(filter: TextFilter): TextFilter {
  return mapTexts(filter, filterKey)
}

/** The filter that passes what passes both. */
export function bothKeyFilters(one: KeyFilter, other: KeyFilter): KeyFilter {
  return { keys: intersection(one.keys, other.keys), texts: [...one.texts, ...other.texts] }
}

/** Whether an entry passes, as in a database: one without a value passes nothing. */
export function passesKeyFilter({ keys, texts }: KeyFilter, entry: Keys): boolean {
  const { orderKey: key, filterKey: text } = entry
  return key !== null && isIn(keys, key) && texts.every((filter) => text !== null && passesText(filter, text))
}

/** Below 0 when `left` comes first by code points. JavaScript's own comparison is of UTF-16 units. */
export function compareKeys(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right))
}

export function isInRange({ min, end }: KeyRange, key: string): boolean {
  return compareKeys(key, min) >= 0 && (end === null || compareKeys(key, end) < 0)
}

function intersection(one: KeySet, other: KeySet): KeySet {
  if (one.kind === 'any-of') return { ...one, keys: one.keys.filter((key) => isIn(other, key)) }
  if (other.kind === 'any-of') return intersection(other, one)
  const min = compareKeys(one.min, other.min) > 0 ? one.min : other.min
  const end = one.end === null || (other.end !== null && compareKeys(other.end, one.end) < 0) ? other.end : one.end
  return { kind: 'range', min, end }
}

function isIn(keys: KeySet, key: string): boolean {
  return keys.kind === 'any-of' ? keys.keys.includes(key) : isInRange(keys, key)
}

type KeysOf = (key: string) => KeySet

/** The keys of numbers have one length, so that only the key itself comes before this. */
const behind = (key: string) => `${key}0`
const upTo: KeysOf = (key) => ({ kind: 'range', min: '', end: behind(key) })
const from: KeysOf = (key) => ({ kind: 'range', min: key, end: null })
const equal: KeysOf = (key) => ({ kind: 'any-of', keys: [key] })

type Scalars = {
  prefixes: Readonly<Record<string, KeysOf>>
  parse(text: string): number | null
  error: string
}

const scalars: Record<'number' | 'date', Scalars> = {
  number: {
    prefixes: {
      eq: equal,
      lt: (key) => ({ kind: 'range', min: '', end: key }),
      lte: upTo,
      gt: (key) => ({ kind: 'range', min: behind(key), end: null }),
      gte: from,
    },
    parse: (text) => (/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null),
    error: 'must be a number, perhaps behind lt:, lte:, gt:, gte: or eq:, or several behind in:',
  },
  date: {
    prefixes: { eq: equal, before: upTo, after: from },
    parse: parseDate,
    error: 'must be a date as ISO 8601, perhaps behind before:, after: or eq:, or several behind in:',
  },
}
