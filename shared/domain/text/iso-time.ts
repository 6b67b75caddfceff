/** Epoch milliseconds as a time on the wire: ISO 8601 in UTC with milliseconds (contract 1.1). */
export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
