import { isClock, isoTime } from './iso-time.ts'

// `date`, `time` and `date-time` of RFC 3339, section 5.6. A space may stand for the T, as its note allows.

const day = '(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)'
const clock =
  '(?<hour>\\d\\d):(?<minute>\\d\\d):(?<second>\\d\\d)(?:\\.(?<fraction>\\d+))?(?<zone>[Zz]|[+-]\\d\\d:\\d\\d)'
const dayPattern = new RegExp(`^${day}$`)
const clockPattern = new RegExp(`^${clock}$`)
const timePattern = new RegExp(`^${day}[Tt ]${clock}$`)

export function isDate(text: string): boolean {
  const parts = dayPattern.exec(text)?.groups
  return parts !== undefined && isoTime(parts) !== null
}

export function isTime(text: string): boolean {
  const parts = clockPattern.exec(text)?.groups
  return parts !== undefined && isClock(parts)
}

export function isDateTime(text: string): boolean {
  const parts = timePattern.exec(text)?.groups
  return parts !== undefined && isoTime(parts) !== null
}
