import { dayMs, parseDate, parseDay } from '../../text/date.ts'
import { readPrefix } from '../../text/filter-prefixes.ts'

/**
 * A filter on numbers or on times in epoch milliseconds (contract 1.4): a set of values, all values on one side of a number, or those of a
 * day in UTC.
 */
export type NumberFilter =
  | { kind: 'any-of'; numbers: readonly number[] }
  | { kind: 'side'; side: 'lt' | 'lte' | 'gt' | 'gte'; number: number }
  | DayFilter

/** From `from` up to, but not including, `end`. */
type DayFilter = { kind: 'day'; from: number; end: number }

/** Whole numbers: a set, or a range from `min` to `max`, both included; null: unbounded. */
export type IntegerSet =
  | { kind: 'any-of'; numbers: readonly number[] }
  | { kind: 'range'; min: number | null; max: number | null }

/**
 * Parses a filter: a number or date, plain or with `eq:`, `lt:`, `lte:`, `gt:` or `gte:`, or any of several with `in:a,b`. Dates also have
 * `before:` and `after:`, both inclusive, and `on:` with a day.
 * @returns the filter, or its error
 */
export function readNumberFilter(kind: 'number' | 'date', source: string): NumberFilter | { error: string } {
  const { parse, error } = scalars[kind]
  const { comparison, rest } = readPrefix(kind, source)
  if (comparison === 'on') return readDay(rest)
  const numbers = (comparison === 'in' ? rest.split(',') : [rest]).map(parse)
  if (!numbers.every((number) => number !== null)) return { error }
  const [number] = numbers
  if (comparison === null || comparison === 'equals' || comparison === 'in' || number === undefined)
    return { kind: 'any-of', numbers: [...new Set(numbers)] }
  return { kind: 'side', side: comparison, number }
}

function readDay(text: string): DayFilter | { error: string } {
  const from = parseDay(text)
  return from === null
    ? { error: 'must have a day such as 2026-12-24 after on:' }
    : { kind: 'day', from, end: from + dayMs }
}

/** The whole numbers that pass a filter. */
export function integersOf(filter: NumberFilter): IntegerSet {
  if (filter.kind === 'any-of') return { ...filter, numbers: filter.numbers.filter(Number.isSafeInteger) }
  if (filter.kind === 'day') return { kind: 'range', min: filter.from, max: filter.end - 1 }
  const { side, number } = filter
  // Numbers beyond these bounds are equal in effect: all stored whole numbers are on one side of them.
  const bound = Math.min(Math.max(number, -Number.MAX_SAFE_INTEGER), Number.MAX_SAFE_INTEGER)
  if (side === 'lt') return { kind: 'range', min: null, max: Math.ceil(bound) - 1 }
  if (side === 'lte') return { kind: 'range', min: null, max: Math.floor(bound) }
  return { kind: 'range', min: side === 'gt' ? Math.floor(bound) + 1 : Math.ceil(bound), max: null }
}

/** Whether a whole number is one of these. */
export function isInteger(set: IntegerSet, number: number): boolean {
  if (set.kind === 'any-of') return set.numbers.includes(number)
  return (set.min === null || number >= set.min) && (set.max === null || number <= set.max)
}

/** The number in a filter; null: the text is not one. */
export function parseNumber(text: string): number | null {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : null
}

type Scalars = {
  parse(text: string): number | null
  error: string
}

const scalars: Record<'number' | 'date', Scalars> = {
  number: {
    parse: parseNumber,
    error: 'must be a number, optionally with lt:, lte:, gt:, gte: or eq:, or several with in:',
  },
  date: {
    parse: parseDate,
    error:
      'must be a date in ISO 8601, optionally with lt:, lte:, gt:, gte:, before:, after: or eq:, a day with on:, or several dates with in:',
  },
}
