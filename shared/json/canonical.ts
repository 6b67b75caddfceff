/** One text for all JSON values that are equal by JSON Schema: keys in one order, 1.0 as 1. It tells every own key, `__proto__` too. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  // Numbers not by JSON.stringify, for which ±Infinity (what 1e400 was parsed as) is null.
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
