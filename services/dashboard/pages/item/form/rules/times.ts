// Times as the data have them, and as the browser's own pickers take them.

/** An ISO time as `datetime-local` has it, where the viewer lives; null: no picker shows it. */
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

/** The ISO time, in UTC, of what a picker has where the viewer lives; null: it has no whole time, or one that it would not show. */
export function fromLocalTime(local: string): string | null {
  const at = new Date(local)
  if (local === '' || Number.isNaN(at.getTime())) return null
  const iso = at.toISOString().replace('.000Z', 'Z')
  return toLocalTime(iso) === null ? null : iso
}

/** A time of the day without its offset, and the offset; null: no picker shows it. */
export function splitTime(text: string): { time: string; offset: string } | null {
  const [, time, offset = ''] = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)([Zz]|[+-]\d\d:\d\d)?$/.exec(text) ?? []
  return time === undefined ? null : { time, offset }
}

/** A time of the day as the format `time` wants it. @param time of a picker @param offset of the time before; UTC where it had none */
export function joinTime(time: string, offset: string): string {
  return `${time.length === 5 ? `${time}:00` : time}${offset || 'Z'}`
}

/** Whether the picker of days shows it. */
export const isDay = (text: string): boolean => /^[1-9]\d{3}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text))

/** The viewer's zone at a time, such as "Europe/Paris, GMT+2". @param at epoch milliseconds */
export function zoneAt(at: number): string {
  const format = new Intl.DateTimeFormat('en', { timeZoneName: 'shortOffset' })
  const offset = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  return [format.resolvedOptions().timeZone, offset].filter(Boolean).join(', ')
}
