import type { Filter, FilterField } from './filters.ts'

/** Spans of days up to now that are asked for by one press: what they are called, and how many days there are in them. */
export const daySpans = [
  ['Today', 1],
  ['Last 7 days', 7],
  ['Last 30 days', 30],
] as const

/**
 * The condition that a date is in the last days. Times of the item itself begin with the day where the reader lives; what an index has
 * may be days alone, which are compared as days of UTC.
 * @param days today among them
 */
export function lastDaysFilter({ name, pointer }: FilterField, days: number, now: Date): Filter {
  const begin = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${begin.getFullYear()}-${two(begin.getMonth() + 1)}-${two(begin.getDate())}`
  const value = pointer === undefined ? begin.toISOString().replace(/:00\.000Z$/, 'Z') : day
  return { field: name, operator: 'after', value }
}
