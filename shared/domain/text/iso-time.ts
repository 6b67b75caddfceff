/** The form of a time on the wire, as a JSON Schema `pattern`. */
export const isoTimePattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'

/**
 * Epoch milliseconds as a time on the wire: ISO 8601 in UTC with milliseconds (contract 1.1). The date of the last call is kept:
 * most times are of the same day, and `toISOString` takes 0.45 µs, which is a quarter of an item's text.
 * @throws RangeError when it is not a valid time
 */
export function isoTime(time: number): string {
  const day = Math.floor(time / dayMs)
  if (day !== lastDay) {
    const text = new Date(time).toISOString()
    lastDate = text.slice(0, text.indexOf('T') + 1)
    lastDay = day
  }
  const ms = Math.trunc(time - day * dayMs)
  const [hours, minutes, seconds] = [
    Math.floor(ms / 3_600_000),
    Math.floor(ms / 60_000) % 60,
    Math.floor(ms / 1000) % 60,
  ]
  return `${lastDate}${digits[hours]}:${digits[minutes]}:${digits[seconds]}.${String(ms % 1000).padStart(3, '0')}Z`
}

const dayMs = 86_400_000
const digits = Array.from({ length: 60 }, (_, n) => String(n).padStart(2, '0'))
let lastDay = Number.NaN
let lastDate = ''
