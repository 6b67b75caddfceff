// Conversion of times between the data and the browser's pickers.

/** An ISO time as a value of `datetime-local`, in the viewer's time zone; null: the picker cannot show it. */
export function toLocalTime(iso: string): string | null {
  if (!isoTime.test(iso)) return null
  const at = new Date(iso.replace(' ', 'T').toUpperCase())
  const year = at.getFullYear()
  if (Number.isNaN(year) || year < 1000 || year > 9999) return null
  const two = (n: number) => String(n).padStart(2, '0')
  const day = `${year}-${two(at.getMonth() + 1)}-${two(at.getDate())}`
  const seconds = at.getSeconds() > 0 ? `:${two(at.getSeconds())}` : ''
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}${seconds}`
}

const isoTime = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]\d\d:\d\d)$/

/** The ISO time, in UTC, of a picker's value in the viewer's time zone; null: it is not complete, or the picker could not show it again. */
export function fromLocalTime(local: string): string | null {
  const at = new Date(local)
  if (local === '' || Number.isNaN(at.getTime())) return null
  const iso = at.toISOString().replace('.000Z', 'Z')
  return toLocalTime(iso) === null ? null : iso
}

/** A time of day without its offset, and the offset; null: the picker cannot show it. */
export function splitTime(text: string): { time: string; offset: string } | null {
  const [, time, offset = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)([Zz]|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  return time === undefined ? null : { time, offset }
}

/** A time of day in the format `time`. @param time the picker's value @param offset of the previous value; '': UTC */
export function joinTime(time: string, offset: string): string {
  return `${time.length === 5 ? `${time}:00` : time}${offset || 'Z'}`
}

/** Whether the date picker can show a text. */
export const isDay = (text: string): boolean => /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** The viewer's zone at a time, such as "Europe/Paris, GMT+2". @param at epoch milliseconds */
export function zoneAt(at: number): string {
  const format = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return [format.resolvedOptions().timeZone, offset].filter(Boolean).join(', ')
}
