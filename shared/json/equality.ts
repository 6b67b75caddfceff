import { isObject } from './is-object.ts'

/** Whether two JSON texts have equal values: the order of keys does not count, that of array elements does. */
export function sameJson(left: string, right: string): boolean {
  return left === right || isEqual(JSON.parse(left), JSON.parse(right))
}

function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (Array.isArray(left)) {
    return Array.isArray(right) && left.length === right.length && left.every((entry, n) => isEqual(entry, right[n]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const names = Object.keys(left)
  return (
    names.length === Object.keys(right).length &&
    names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]))
  )
}
