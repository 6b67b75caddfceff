import { isClock, isDay, isoTime } from './iso-time.ts'

// `date`, `time` and `date-time` of RFC 3339, section 5.6. A space may stand for the T, as its note allows. Where each part stands is
// known: named groups would take ten times as long.

const dayPattern = /^\d{4}-\d\d-\d\d$/
const clockPattern = /^\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/
const timePattern = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

export function isDate(text: string): boolean {
  return dayPattern.test(text) && isDay(Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8)))
}

export function isTime(text: string): boolean {
  return clockPattern.test(text) && isClock(clockOf(text, 0))
}

export function isDateTime(text: string): boolean {
  if (!timePattern.test(text)) return false
  const clock = clockOf(text, 11)
  if (clock.second !== '60') return isDate(text.slice(0, 10)) && isClock(clock)
  return isoTime({ year: text.slice(0, 4), month: text.slice(5, 7), day: text.slice(8, 10), ...clock }) !== null
}

/** The parts of a time that begins there and ends with the text. */
function clockOf(text: string, at: number) {
  const end = text.charAt(text.length - 1)
  return {
    hour: text.slice(at, at + 2),
    minute: text.slice(at + 3, at + 5),
    second: text.slice(at + 6, at + 8),
    zone: end === 'Z' || end === 'z' ? 'Z' : text.slice(-6),
  }
}
