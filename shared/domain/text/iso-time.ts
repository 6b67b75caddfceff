/** The form of a time on the wire, as a JSON Schema `pattern`. */
export const isoTimePattern = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z$'

/** Epoch milliseconds as a time on the wire: ISO 8601 in UTC with milliseconds (contract 1.1). */
export function isoTime(time: number): string {
  return new Date(time).toISOString()
}
