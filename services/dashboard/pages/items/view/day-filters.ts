import type { Filter, FilterField } from './filters.ts'

/** Spans of days up to now that a button selects: their label, and their number of days. */
export const daySpans = [
  ['Today', 1],
  ['Last 7 days', 7],
  ['Last 30 days', 30],
] as const

/**
 * The condition that a date is within the last days. For times of the item itself, days begin at midnight in the reader's time zone. Values
 * of an index may be dates without a time, so they are compared with a day in UTC.
 * @param days the number of days, including today
 */
export function lastDaysFilter({ name, pointer }: FilterField, days: number, now: Date): Filter {
  const begin = new Date(now.getFullYear(), now.getMonth(), now.getDate() - days + 1)
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${begin.getFullYear()}-${two(begin.getMonth() + 1)}-${two(begin.getDate())}`
  const value = pointer === undefined ? begin.toISOString().replace(/:00\.000Z$/, 'Z') : day
  return { field: name, operator: 'after', value }
}
