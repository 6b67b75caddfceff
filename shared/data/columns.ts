/** Converts column values to domain values: each database returns booleans, numbers and JSON differently. */

export const toText = (value: unknown): string => String(value)
export const toNumber = (value: unknown): number => Number(value)
export const toBoolean = (value: unknown): boolean => value === true || value === 1 || value === '1'
export const toTextOrNull = (value: unknown): string | null =>
  value === null || value === undefined ? null : String(value)
export const toNumberOrNull = (value: unknown): number | null =>
  value === null || value === undefined ? null : Number(value)
/** Not validated: only this code writes JSON columns. */
export const toJson = <T>(value: unknown): T => JSON.parse(String(value)) as T
