/** Whether a driver's error has one of these codes. */
export function hasCode(error: unknown, codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Whether a statement failed because a table does not exist. */
export function isMissingTable(error: unknown): boolean {
  if (hasCode(error, ['42P01', 'ER_NO_SUCH_TABLE'])) return true
  return hasCode(error, ['SQLITE_ERROR']) && String((error as Error).message).includes('no such table')
}

/** Whether a statement failed because another row has the same unique key. */
export function isUniqueViolation(error: unknown): boolean {
  if (hasCode(error, ['23505', 'ER_DUP_ENTRY'])) return true
  return hasCode(error, ['SQLITE_CONSTRAINT']) && String((error as Error).message).includes('UNIQUE')
}
