/** The parts of a time as ISO 8601 writes them: digits only, but for the sign of a year and of a zone. */
export type IsoParts = Record<
  'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'fraction' | 'zone',
  string | undefined
>

/**
 * The only parser of dates, used by `format` and indexes, so that both accept the same dates. Hours end at 23, minutes at 59, those of
 * zones too (RFC 3339, section 5.6). Second 60 is a leap second, which comes at the end of a month of UTC alone (section 5.7); it is the
 * last millisecond of its day, so that it is on that day and before the next.
 * @returns epoch milliseconds, finer digits truncated; null: there is no such day or time
 */
export function isoTime({ year, month = '01', day = '01', fraction = '', ...parts }: Partial<IsoParts>): number | null {
  const clock = readClock(parts)
  if (!clock || !isDay(Number(year), Number(month), Number(day))) return null
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const milliseconds = clock.isLeap ? 999 : Number(fraction.slice(0, 3).padEnd(3, '0'))
  date.setUTCHours(0, clock.minute, clock.isLeap ? 59 : clock.second, milliseconds)
  if (Number.isNaN(date.getTime()) || (clock.isLeap && new Date(date.getTime() + 1).getUTCDate() !== 1)) return null
  return date.getTime()
}

/** Whether the month has such a day, in the calendar of today at all times. */
export function isDay(year: number, month: number, day: number): boolean {
  const isLeapYear = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  return day >= 1 && day <= (month === 2 && isLeapYear ? 29 : (daysOfMonth[month] ?? 0))
}

const daysOfMonth = [0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Whether there is such a time of a day, on some day. */
export function isClock(parts: Partial<IsoParts>): boolean {
  return readClock(parts) !== null
}

/** `minute` of UTC, counted from midnight of the day that is written. */
type Clock = { minute: number; second: number; isLeap: boolean }

function readClock({ hour = '0', minute = '0', second = '0', zone = 'Z' }: Partial<IsoParts>): Clock | null {
  const offset = zoneMinutes(zone)
  if (offset === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 60) return null
  const inUtc = Number(hour) * 60 + Number(minute) - offset
  const isLeap = second === '60'
  if (isLeap && (inUtc + minutesOfDay) % minutesOfDay !== minutesOfDay - 1) return null
  return { minute: inUtc, second: Number(second), isLeap }
}

const minutesOfDay = 1_440

/** `+01:30`, `+0130` and `+01` east of Greenwich; 0 for `Z`; null: there is no such zone. */
function zoneMinutes(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return 0
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(3).replace(':', ''))]
  if (hours > 23 || minutes > 59) return null
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes)
}
