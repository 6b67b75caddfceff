import type { FieldError } from '#shared/errors.ts'

/** Entries of one array and properties of one object that joi is asked to look at; it would hold up everybody for more. */
const maxEntries = 10_000
const maxProperties = 100_000
/** Unknown properties of the body itself: a body that has more is refused without looking closer. */
const maxUnknown = 100

/**
 * Faults that must be found before joi looks at a body: sheer size, and keys named `__proto__`, which joi takes for
 * the prototype of the object it copies, so that their content would pass unseen as properties.
 * @param options.known the properties that the body's shape names
 * @param options.untouched top-level properties that joi does not look into (item data, where every key is data)
 */
export function bodyLimitErrors(
  body: unknown,
  options: { known: ReadonlySet<string>; untouched: readonly string[] },
): FieldError[] {
  if (!isContainer(body)) return []
  const unknown = Object.keys(body).filter((name) => !options.known.has(name))
  if (!Array.isArray(body) && unknown.length > maxUnknown) return unknown.map(unknownProperty)

  const errors: FieldError[] = []
  const open: Visit[] = [{ value: body, path: '' }]
  for (let visit = open.pop(); visit; visit = open.pop()) {
    const skipped = visit.value === body ? options.untouched : []
    look(visit, { open, errors, skipped })
  }
  return errors
}

type Visit = { value: object; path: string }

function look({ value, path }: Visit, to: { open: Visit[]; errors: FieldError[]; skipped: readonly string[] }): void {
  const names = Object.keys(value)
  const most = Array.isArray(value) ? maxEntries : maxProperties
  if (names.length > most) {
    to.errors.push({ path, message: `must hold at most ${most} entries` })
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
  return { path, message: `"${path}" is not a property of this` }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}
