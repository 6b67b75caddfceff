/** Epoch milliseconds as the wire has times: ISO 8601 in UTC with milliseconds (contract 1.1). */
export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
