import { parseDate } from '../../text/date.ts'
import { isoTime } from '../../text/iso-time.ts'
import { type Call, type ExpressionFunction, integerAt, textAt, valueAt, wrongKind } from './function.ts'

const part = (read: (date: Date) => number): ExpressionFunction => ({
  least: 1,
  most: 1,
  call: (call) => read(new Date(timeAt(call))),
})

/** Functions of dates. A date is an ISO 8601 text, or a number of milliseconds since 1970. All functions use UTC. */
export const dateFunctions: Readonly<Record<string, ExpressionFunction>> = {
  /** A date as text, as the API writes it: `2026-03-01T10:00:00.000Z`. */
  date: { least: 1, most: 1, call: (call) => written(call, timeAt(call)) },
  /** Milliseconds since 1970. */
  millis: { least: 1, most: 1, call: timeAt },
  year: part((date) => date.getUTCFullYear()),
  month: part((date) => date.getUTCMonth() + 1),
  day: part((date) => date.getUTCDate()),
  hour: part((date) => date.getUTCHours()),
  minute: part((date) => date.getUTCMinutes()),
  second: part((date) => date.getUTCSeconds()),
  /** From 1 (Monday) to 7 (Sunday). */
  weekday: part((date) => date.getUTCDay() || 7),
  /** Adds a number of units to a date: `addTime(now, 3, "days")`. A negative number subtracts. */
  addTime: { least: 3, most: 3, call: (call) => written(call, later(call)) },
}

function timeAt(call: Call): number {
  const value = valueAt(call, 0)
  if (typeof value === 'number') return millisAt(call)
  if (typeof value !== 'string') throw wrongKind(call, 'a date', 0)
  const time = parseDate(value)
  if (time === null) throw call.error(`takes an ISO 8601 date as argument 1, not ${JSON.stringify(value.slice(0, 40))}`)
  return time
}

/** The range of JavaScript dates: 100,000,000 days before and after 1970. */
const maxDays = 100_000_000

function millisAt(call: Call): number {
  const time = integerAt(call, 0)
  if (Math.abs(time) <= maxDays * 86_400_000) return time
  throw call.error(`takes a date at most ${maxDays.toLocaleString('en-US')} days from 1970`)
}

function written(call: Call, time: number): string {
  const year = new Date(time).getUTCFullYear()
  if (year >= 0 && year <= 9999) return isoTime(time)
  throw call.error('creates dates of the years 0 to 9999')
}

const milliseconds: Readonly<Record<string, number>> = {
  millisecond: 1,
  second: 1_000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
}
const months: Readonly<Record<string, number>> = { month: 1, year: 12 }

function later(call: Call): number {
  const [time, amount, unit] = [timeAt(call), integerAt(call, 1), textAt(call, 2).replace(/s$/, '')]
  if (Object.hasOwn(milliseconds, unit)) return time + amount * (milliseconds[unit] ?? 0)
  if (Object.hasOwn(months, unit)) return monthsLater(time, amount * (months[unit] ?? 0))
  const units = [...Object.keys(milliseconds), ...Object.keys(months)].map((name) => `${name}s`)
  throw call.error(`takes one of ${units.join(', ')} as argument 3`)
}

/** The same day of another month, or the last day of a shorter month. */
function monthsLater(time: number, count: number): number {
  const date = new Date(time)
  const day = date.getUTCDate()
  date.setUTCMonth(date.getUTCMonth() + count, 1)
  const lastDay = new Date(Date.UTC(2000, 0)).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)
  date.setUTCDate(Math.min(day, new Date(lastDay).getUTCDate()))
  return date.getTime()
}
