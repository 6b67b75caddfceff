/** Characters as contract 2 counts them: Unicode code points, as JSON Schema and the databases' varchar do. */
export function isLongerThan(text: string, max: number): boolean {
  if (text.length <= max) return false
  if (text.length > 2 * max) return true
  let count = 0
  for (const _ of text) count++
  return count > max
}
