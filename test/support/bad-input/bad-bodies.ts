import { badValues, type Described, isAllowed, partOf } from './bad-values.ts'

/** A body with one fault: its path and its kind. */
export type BadBody = { path: string; what: string; body: unknown }

type Members = Record<string, unknown>
type Place = { path: string; at: Described; value: unknown; put(value: unknown): unknown }

/**
 * A valid body with one fault at a time, in every described field and at every depth: values that are not allowed, missing members,
 * and unknown members.
 */
export function badBodies(schema: Described, body: unknown): BadBody[] {
  return faultsIn({ path: '', at: schema, value: body, put: (value) => value })
}

function faultsIn(place: Place): BadBody[] {
  const { at, value } = place
  if (Array.isArray(value)) {
    const items = partOf(at, 'items')
    return items ? value.flatMap((part, n) => faultsAt(member(place, { name: n, at: items, value: part }))) : []
  }
  return isMembers(value) ? membersOf(place, value) : []
}

function faultsAt(place: Place): BadBody[] {
  const bad = Object.entries(badValues(place.at, place.value))
  return [...bad.map(([what, value]) => ({ path: place.path, what, body: place.put(value) })), ...faultsIn(place)]
}

function membersOf(place: Place, value: Members): BadBody[] {
  const at = variantOf(place.at, value)
  const { properties = {}, additionalProperties, required = [] } = at.schema as Record<string, unknown>
  const named = Object.keys(properties as Members).flatMap((name) => {
    const part = partOf(at, 'properties', name)
    return part ? faultsAt(member(place, { name, at: part, value: value[name] })) : []
  })
  const map = isMembers(additionalProperties) ? partOf(at, 'additionalProperties') : null
  const entries = map
    ? Object.keys(value).flatMap((name) => faultsAt(member(place, { name, at: map, value: value[name] })))
    : []
  return [...named, ...entries, ...missing(place, value, required as string[]), ...unknown(place, at, value)]
}

/** The alternative that matches a value. */
function variantOf(at: Described, value: unknown): Described {
  for (const keyword of ['anyOf', 'oneOf'] as const) {
    const { length = 0 } = (at.schema[keyword] as unknown[] | undefined) ?? []
    const parts = Array.from({ length }, (_, n) => partOf(at, keyword, String(n)))
    const found = parts.find((part) => part !== null && isAllowed(part, value))
    if (found) return variantOf(found, value)
  }
  return at
}

/** If one of several members is required, none of them alone is the missing one. */
function missing({ path, at, put }: Place, value: Members, required: readonly string[]): BadBody[] {
  if (at.schema.anyOf !== undefined || at.schema.oneOf !== undefined) return []
  return required.map((name) => {
    const { [name]: _left, ...others } = value
    return { path: join(path, name), what: 'nothing', body: put(others) }
  })
}

function unknown({ path, put }: Place, at: Described, value: Members): BadBody[] {
  const names = ['__proto__', ...(at.schema.additionalProperties === false ? ['unknown'] : [])]
  return names.map((name) => ({
    path: join(path, name),
    what: `a member ${name}`,
    body: put(Object.fromEntries([...Object.entries(value), [name, { readonly: true }]])),
  }))
}

function member(outer: Place, { name, at, value }: { name: string | number; at: Described; value: unknown }): Place {
  const put = (part: unknown) =>
    outer.put(
      Array.isArray(outer.value) ? outer.value.with(Number(name), part) : { ...(outer.value as Members), [name]: part },
    )
  return { path: join(outer.path, String(name)), at, value, put }
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
