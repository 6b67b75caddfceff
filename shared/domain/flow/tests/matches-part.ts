import { errorPath } from '#shared/errors.ts'
import { isEqual } from '#shared/json/compare/equality.ts'
import { isRawNumber } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'

/**
 * The first difference of a value from the expected one, such as "body.n is 2, not 3"; null: none. An object may have more members than
 * expected. An array must have the same length and matching elements. Numbers are compared by decimal value.
 */
export function differenceFrom(expected: unknown, actual: unknown, path: string): string | null {
  if (Array.isArray(expected) && Array.isArray(actual)) return differenceOfArrays(expected, actual, path)
  if (!isPlain(expected) || !isPlain(actual))
    return isEqual(expected, actual) ? null : `${path} is ${shown(actual)}, not ${shown(expected)}`
  for (const [key, part] of Object.entries(expected)) {
    const at = errorPath(path, key)
    if (!Object.hasOwn(actual, key)) return `${at} does not exist, and should be ${shown(part)}`
    const difference = differenceFrom(part, actual[key], at)
    if (difference !== null) return difference
  }
  return null
}

function differenceOfArrays(expected: readonly unknown[], actual: readonly unknown[], path: string): string | null {
  for (const [n, part] of expected.entries()) {
    const at = errorPath(path, String(n))
    if (n >= actual.length) return `${at} does not exist, and should be ${shown(part)}`
    const difference = differenceFrom(part, actual[n], at)
    if (difference !== null) return difference
  }
  if (actual.length === expected.length) return null
  return `${path} has ${actual.length} elements, not ${expected.length}: the next one is ${shown(actual[expected.length])}`
}

function isPlain(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !isRawNumber(value)
}

/** The value as JSON, cut if long. */
function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > maxShown ? `${text.slice(0, maxShown).toWellFormed()}…` : text
}

const maxShown = 120
