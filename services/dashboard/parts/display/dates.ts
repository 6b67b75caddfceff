import { parseDate } from '#shared/domain/text/date.ts'

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** Days have no time zone: they are the same for all readers. */
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
/** A time without a zone is shown as it was written. */
const unzoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** Date and time in the reader's time zone. @param at epoch milliseconds */
export const timeWords = (at: number): string => dateAndTime.format(at)

/** An ISO 8601 date, with an optional time and zone. */
const form = /^\d{4}-\d\d-\d\d(?<time>[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?$/

/** A date, or a time in the reader's time zone, in the format of the reader's language; null: the text is neither. */
export function dateWords(text: string): string | null {
  const groups = form.exec(text)?.groups
  const at = groups ? parseDate(text) : null
  if (!groups || at === null) return null
  if (groups.time === undefined) return day.format(at)
  return (groups.zone === undefined ? unzoned : dateAndTime).format(at)
}
