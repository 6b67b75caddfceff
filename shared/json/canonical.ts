import { byKey } from './by-key.ts'

/** One text for all JSON values that are equal by JSON Schema: keys sorted, 1.0 as 1. It has every own key, also `__proto__`. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(byKey)
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
  }
  // Not JSON.stringify for numbers: it makes ±Infinity (which 1e400 was parsed to) null.
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
