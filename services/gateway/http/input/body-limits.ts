import { maxErrors } from '#shared/domain/limits.ts'
import type { FieldError } from '#shared/errors.ts'

/** Most entries of an array or an object that joi validates, twice what any field may have: an error for each takes 10 µs. */
const maxEntries = 2_000
/** The most unknown properties of the body itself; a body with more is rejected without further checks. */
const maxUnknown = 100

/**
 * Errors that must be found before joi validates a body: too many unknown properties, too many entries in an object or array, and keys
 * named `__proto__`, which joi treats as the prototype of the copied object, so that their content would pass without validation.
 * @param options.known the properties that the body's schema names
 * @param options.untouched top-level properties that joi does not look into (item data, where every key is data)
 */
export function bodyLimitErrors(
  body: unknown,
  options: { known: ReadonlySet<string>; untouched: readonly string[] },
): FieldError[] {
  if (!isContainer(body)) return []
  const tooMany = Array.isArray(body) ? [] : tooManyUnknown(Object.keys(body), options.known)
  if (tooMany.length > 0) return tooMany

  const errors: FieldError[] = []
  const open: Visit[] = [{ value: body, path: '' }]
  for (let visit = open.pop(); visit && errors.length < maxErrors; visit = open.pop()) {
    const skipped = visit.value === body ? options.untouched : []
    checkVisit(visit, { open, errors, skipped })
  }
  return errors
}

/** The errors of a body with too many unknown properties to check the rest; empty when there are few. */
export function tooManyUnknown(names: Iterable<string>, known: ReadonlySet<string>): FieldError[] {
  const errors: FieldError[] = []
  for (const name of names) {
    if (errors.length === maxErrors) break
    if (!known.has(name)) errors.push(unknownProperty(name))
  }
  return errors.length > maxUnknown ? errors : []
}

type Visit = { value: object; path: string }

function checkVisit(
  { value, path }: Visit,
  to: { open: Visit[]; errors: FieldError[]; skipped: readonly string[] },
): void {
  const names = Object.keys(value)
  if (names.length > maxEntries) {
    to.errors.push({ path, message: `must have at most ${maxEntries} entries` })
    return
  }
  for (const name of names) {
    const inner = (value as Record<string, unknown>)[name]
    if (name === '__proto__') to.errors.push(unknownProperty(join(path, name)))
    else if (isContainer(inner) && !to.skipped.includes(name)) to.open.push({ value: inner, path: join(path, name) })
  }
}

function isContainer(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function unknownProperty(path: string): FieldError {
  return { path, message: `"${path}" is not allowed` }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
