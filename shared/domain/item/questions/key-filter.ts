import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import { lengths } from '../../limits.ts'
import type { ValueType } from '../../list/index-fields.ts'
import { mapTexts, passesText, readTextFilter, type TextFilter } from '../../text/filter.ts'
import { startingWith } from '../../text/starting-with.ts'
import { withoutValue } from '../filters.ts'
import { filterKey, numberKey, orderKey } from '../index-key.ts'
import type { Keys } from '../index-value.ts'
import { readNegation } from './negation.ts'
import { type NumberFilter, readNumberFilter } from './number-filter.ts'

/**
 * A filter on the entries of an index (contract 1.4): the order keys that pass, and the conditions that their filter keys must also pass.
 * Order keys are compared by code points.
 */
export type KeyFilter = {
  keys: KeySet
  texts: readonly TextFilter[]
  /** Negates the rest of the filter; entries without a value then pass too. */
  not?: true
}

/** Order keys: a set, or a range from `min` up to, but not including, `end`; null: no end. */
export type KeySet = { kind: 'any-of'; keys: readonly string[] } | KeyRange
export type KeyRange = { kind: 'range'; min: string; end: string | null }

/** All keys: no key sorts before the empty text. */
export const allKeys: KeyRange = { kind: 'range', min: '', end: null }

/**
 * Parses a filter on an index: a text filter, a filter on numbers or dates (`readNumberFilter`), or `null` for entries without a value.
 * `not:` negates each.
 * @returns the filter, or its error
 */
export function readKeyFilter(valueType: ValueType, source: string): KeyFilter | { error: string } {
  const { isNot, rest } = readNegation(source)
  if (rest === withoutValue) return isNot ? anyValue : noValue
  const filter = readValue(valueType, rest)
  return isNot && !('error' in filter) ? { ...filter, not: true } : filter
}

const anyValue: KeyFilter = { keys: allKeys, texts: [] }
const noValue: KeyFilter = { ...anyValue, not: true }

function readValue(valueType: ValueType, source: string): KeyFilter | { error: string } {
  if (valueType === 'string') return textKeyFilter(readTextFilter(source))
  const filter = readNumberFilter(valueType, source)
  return 'error' in filter ? filter : { keys: keysOf(filter), texts: [] }
}

function keysOf(filter: NumberFilter): KeySet {
  if (filter.kind === 'any-of') return { kind: 'any-of', keys: [...new Set(filter.numbers.map(numberKey))] }
  if (filter.kind === 'day') return { kind: 'range', min: numberKey(filter.from), end: numberKey(filter.end) }
  const key = numberKey(filter.number)
  // The keys of numbers have a fixed length, so only the key itself sorts before this.
  const behind = `${key}0`
  if (filter.side === 'lt' || filter.side === 'lte')
    return { kind: 'range', min: '', end: filter.side === 'lt' ? key : behind }
  return { kind: 'range', min: filter.side === 'gt' ? behind : key, end: null }
}

/** A filter on text. If the order key contains the whole text, it decides alone. */
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

/** Combines filters that must all pass: one filter for the conditions that must hold, and the negated ones. */
export function allKeyFilters(filters: readonly KeyFilter[]): KeyFilter[] {
  const [first, ...others] = filters.filter(({ not }) => !not)
  const negated = filters.filter(({ not }) => not)
  return first ? [others.reduce(bothKeyFilters, first), ...negated] : negated
}

function bothKeyFilters(one: KeyFilter, other: KeyFilter): KeyFilter {
  return { keys: intersection(one.keys, other.keys), texts: [...one.texts, ...other.texts] }
}

/** Whether one of the entries of an item passes, as in a database: an item without a value passes only negated filters. */
export function passesKeyFilter({ keys, texts, not }: KeyFilter, entries: readonly Keys[]): boolean {
  const passes = entries.some(
    ({ orderKey: key, filterKey: text }) =>
      key !== null && isIn(keys, key) && texts.every((filter) => text !== null && passesText(filter, text)),
  )
  return passes !== (not === true)
}

export function isInRange({ min, end }: KeyRange, key: string): boolean {
  return compareTexts(key, min) >= 0 && (end === null || compareTexts(key, end) < 0)
}

function intersection(one: KeySet, other: KeySet): KeySet {
  if (one.kind === 'any-of') return { ...one, keys: one.keys.filter((key) => isIn(other, key)) }
  if (other.kind === 'any-of') return intersection(other, one)
  const min = compareTexts(one.min, other.min) > 0 ? one.min : other.min
  const end = one.end === null || (other.end !== null && compareTexts(other.end, one.end) < 0) ? other.end : one.end
  return { kind: 'range', min, end }
}

function isIn(keys: KeySet, key: string): boolean {
  return keys.kind === 'any-of' ? keys.keys.includes(key) : isInRange(keys, key)
}
