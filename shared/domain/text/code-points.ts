/** Counts characters as contract 2 does: Unicode code points, like JSON Schema and the databases' varchar. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  let count = 0
  for (const _ of text) count++
  return count > max
}
