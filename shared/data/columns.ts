/** How values cross the border between rows and the domain; the databases differ here and nowhere else. */

export const toText = (value: unknown): string => String(value)
export const toNumber = (value: unknown): number => Number(value)
export const toBoolean = (value: unknown): boolean => value === true || value === 1 || value === '1'
export const toTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value)
export const toNumberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)
/** A JSON column holds only what this code wrote, so its shape is known. */
export const toJson = <T>(value: unknown): T => JSON.parse(String(value)) as T
