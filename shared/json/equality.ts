import { decimalForm } from './decimal.ts'
import { isRawNumber, parseExact } from './exact.ts'
import { isObject } from './is-object.ts'

/**
 * Whether two JSON texts have equal values: numbers by their decimal value, objects without regard to the order of their keys.
 * Linear in the texts, however they nest.
 */
export function sameJson(left: string, right: string): boolean {
  return left === right || isEqual(parseExact(left), parseExact(right))
}

/**
 * The same of two values, in which a number that no double holds is one of `parseExact`.
 * @param visit is told of each two values before they are compared; it may throw
 */
export function isEqual(
  left: unknown,
  right: unknown,
  visit: (left: unknown, right: unknown) => void = ignore,
): boolean {
  visit(left, right)
  if (left === right) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) && left.length === right.length && left.every((entry, n) => isEqual(entry, right[n], visit))
    )
  }
  if (isRawNumber(left) || isRawNumber(right)) {
    return isRawNumber(left) && isRawNumber(right) && decimalForm(left.rawJSON) === decimalForm(right.rawJSON)
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], visit))
  )
}

function ignore(): void {}
