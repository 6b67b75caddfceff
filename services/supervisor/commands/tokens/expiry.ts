const unitMs = { h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Parses the expiry of a command's option: a date (its start in UTC), a time with its zone, or hours, days or weeks from now (`12h`,
 * `30d`, `4w`).
 * @returns epoch milliseconds
 * @throws Error with a sentence for any other text, and for a time in the past
 */
export function parseExpiry(text: string, now: number): number {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/.exec(text) ?? []
  const at = unit === '' ? parseTime(text) : now + Number(count) * unitMs[unit as keyof typeof unitMs]
  if (Number.isNaN(at)) {
    throw new Error(
      `--expires must be a date such as 2027-01-31, a time such as 2027-01-31T12:00:00Z, or a time from now such as 12h, 30d or 4w, not "${text}".`,
    )
  }
  if (at <= now) throw new Error(`--expires is ${new Date(at).toISOString()}, which is in the past.`)
  return at
}

const timeForm = /^(\d{4}-\d{2}-\d{2})(T\d{2}:\d{2}(:\d{2}(\.\d{1,3})?)?(Z|[+-]\d{2}:\d{2}))?$/

/** @returns NaN for anything that is not a time */
function parseTime(text: string): number {
  const [, date = ''] = timeForm.exec(text) ?? []
  // Otherwise the 30th of February would become a day in March.
  return date !== '' && isDay(date) ? Date.parse(text) : Number.NaN
}

function isDay(date: string): boolean {
  const at = Date.parse(date)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(date)
}
