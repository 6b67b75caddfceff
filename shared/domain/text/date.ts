import { isoTime } from '#shared/json-schema/formats/iso-time.ts'

/**
 * Parses a date: ISO 8601 in its extended form (`2026`, `2026-03`, `2026-03-01`, `2026-03-01T10:00:00.123+01:00`), or the output of
 * JavaScript's `Date.toString()`. A time without a zone is UTC, whatever the zone of the machine. A text that `format` accepts as a
 * `date` or `date-time` is a date here, with the same meaning (`isoTime`).
 *
 * @returns epoch milliseconds, finer digits truncated; null when the text is neither, or the day does not exist
 */
export function parseDate(text: string): number | null {
  const iso = isoPattern.exec(text)
  if (iso?.groups) return isoTime(iso.groups)
  return text.length <= maxDateLength && dateToString.test(text) ? numberOrNull(Date.parse(text)) : null
}

/** Characters of a date in a request; has room for the name of a time zone at the end of `Date.toString()`. */
export const maxDateLength = 100
const isoPattern =
  /^(?<year>\d{4}|[+-]\d{6})(?:-(?<month>\d\d)(?:-(?<day>\d\d)(?:[Tt ](?<hour>\d\d):(?<minute>\d\d)(?::(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?)?)?$/
/** `Sun Mar 01 2026 10:00:00 GMT+0100 (Central European Standard Time)` */
const dateToString = /^[A-Z][a-z]{2} [A-Z][a-z]{2} \d\d \d{4,6} \d\d:\d\d:\d\d GMT[+-]\d{4}(?: \(.*\))?$/

function numberOrNull(time: number): number | null {
  return Number.isNaN(time) ? null : time
}

/** A day of UTC in milliseconds; leap seconds are not part of it (see `parseDate`). */
export const dayMs = 86_400_000

/** The first millisecond of a day such as `2026-12-24`, in UTC; null: the text is not a day. */
export function parseDay(text: string): number | null {
  return /^\d{4}-\d\d-\d\d$/.test(text) ? parseDate(text) : null
}
