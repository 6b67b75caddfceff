import { byKey } from './by-key.ts'

/**
 * One text for all JSON values that are equal by JSON Schema: keys sorted, 1.0 as 1. It has every own key, also `__proto__`.
 * @param formOf the text of a number in an object or array, where a double does not say it all; null: of any other value
 */
export function canonicalJson(value: unknown, formOf: FormOf = double): string {
  return textOf(value, { '': value }, '', formOf)
}

export type FormOf = (value: unknown, parent: object, key: string | number) => string | null

function textOf(value: unknown, parent: object, key: string | number, formOf: FormOf): string {
  const form = formOf(value, parent, key)
  if (form !== null) return form
  if (Array.isArray(value)) return `[${value.map((element, n) => textOf(element, value, n, formOf)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).sort(byKey)
    return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${textOf(member, value, key, formOf)}`).join(',')}}`
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}

/** Not JSON.stringify for numbers: it writes ±Infinity (which 1e400 was parsed to) as null. */
function double(value: unknown): string | null {
  return typeof value === 'number' ? String(value) : null
}
