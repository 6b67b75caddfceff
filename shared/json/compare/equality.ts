import { decimalForm } from '../decimal.ts'
import { isRawNumber, parseExact } from '../exact.ts'
import { isObject } from '../is-object.ts'

/**
 * Whether two JSON texts have equal values: numbers by their decimal value, objects without regard to the order of their keys.
 * Linear in the texts, however they nest.
 */
export function sameJson(left: string, right: string): boolean {
  return left === right || isEqual(parseExact(left), parseExact(right))
}

/**
 * The same of two values, in which a number that no double holds is one of `parseExact`.
 * @param watch may throw
 */
export function isEqual(left: unknown, right: unknown, watch: Watch = unwatched, depth = 0): boolean {
  watch.compared(left, right, depth)
  if (left === right) return true
  if (Array.isArray(left)) {
    return (
      Array.isArray(right) &&
      left.length === right.length &&
      left.every((entry, n) => isEqual(entry, right[n], watch, depth + 1))
    )
  }
  if (isRawNumber(left) || isRawNumber(right)) {
    return isRawNumber(left) && isRawNumber(right) && decimalForm(left.rawJSON) === decimalForm(right.rawJSON)
  }
  if (!isObject(left) || !isObject(right)) return false
  const [names, others] = [Object.keys(left), Object.keys(right)]
  watch.listed(names.length)
  watch.listed(others.length)
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name], watch, depth + 1))
  )
}

/** Counts the work of a comparison. */
export type Watch = {
  /** Called with each two values before they are compared, and the number of levels around them. */
  compared(left: unknown, right: unknown, depth: number): void
  /** Called with the number of members of an object. */
  listed(members: number): void
}

const unwatched: Watch = { compared() {}, listed() {} }
