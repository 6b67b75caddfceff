/**
 * Parses a date: ISO 8601 in its extended form (`2026`, `2026-03`, `2026-03-01`, `2026-03-01T10:00:00.123+01:00`), or the
 * output of JavaScript's `Date.toString()`. A time without zone is UTC, in whichever zone the machine is.
 *
 * @returns epoch milliseconds, finer digits truncated; null when the text is neither, or the day does not exist
 */
export function parseDate(text: string): number | null {
  if (text.length > maxDateLength) return null
  const iso = isoPattern.exec(text)
  if (iso?.groups) return isoTime(iso.groups)
  return dateToString.test(text) ? numberOrNull(Date.parse(text)) : null
}

/** Characters; has room for the name of a time zone at the end of `Date.toString()`. */
export const maxDateLength = 100
const isoPattern =
  /^(?<year>\d{4}|[+-]\d{6})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?)?)?$/
/** `Sun Mar 01 2026 10:00:00 GMT+0100 (Central European Standard Time)` */
const dateToString = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4,6} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \(.*\))?$/

type IsoParts = Record<string, string | undefined>

function isoTime({ year, month = '01', day = '01', hour = '0', minute = '0', second = '0', ...rest }: IsoParts) {
  const inRange = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  // A day that does not exist becomes one of another month.
  if (!inRange || date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return null
  const milliseconds = Number((rest.fraction ?? '').slice(0, 3).padEnd(3, '0'))
  date.setUTCHours(Number(hour), Number(minute) - zoneMinutes(rest.zone), Number(second), milliseconds)
  return numberOrNull(date.getTime())
}

/** `+01:30`, `+0130` and `+01` east of Greenwich; 0 for `Z` and for none. */
function zoneMinutes(zone = 'Z'): number {
  if (zone === 'Z' || zone === 'z') return 0
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(3).replace(':', ''))
  return zone.startsWith('-') ? -minutes : minutes
}

function numberOrNull(time: number): number | null {
  return Number.isNaN(time) ? null : time
}

/** A day of UTC in milliseconds; leap seconds are no part of it (see `parseDate`). */
export const dayMs = 86_400_000

/** The first millisecond of a day such as `2026-12-24`, in UTC; null: the text is none. */
export function parseDay(text: string): number | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseDate(text) : null
}
