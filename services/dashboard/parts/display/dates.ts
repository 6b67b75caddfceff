import { parseDate } from '#shared/domain/text/date.ts'

const dateAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
/** A day has no zone: it is the same one wherever its reader lives. */
const day = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeZone: 'UTC' })
/** A time that is written without its zone is shown as it was written. */
const unzoned = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' })

/** A time with its date, where the reader lives. @param at epoch milliseconds */
export const timeWords = (at: number): string => dateAndTime.format(at)

/** A day of ISO 8601, with a time and a zone or without. */
const form = /^\d{4}-\d\d-\d\d(?<time>[Tt ]\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?(?<zone>[Zz]|[+-]\d\d(?::?\d\d)?)?)?$/

/** A day, or a time where the reader lives, as the reader's language writes it; null: the text is neither. */
export function dateWords(text: string): string | null {
  const groups = form.exec(text)?.groups
  const at = groups ? parseDate(text) : null
  if (!groups || at === null) return null
  if (groups.time === undefined) return day.format(at)
  return (groups.zone === undefined ? unzoned : dateAndTime).format(at)
}
