/** Members of all objects in a parsed value. `for … in` also lists an own `__proto__`. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) {
    for (const element of value) if (typeof element === 'object') count += countMembers(element)
    return count
  }
  const members = value as Record<string, unknown>
  for (const key in members) {
    count++
    const member = members[key]
    if (typeof member === 'object') count += countMembers(member)
  }
  return count
}
