import { isObject } from '#shared/json/is-object.ts'
import { parsePointer, valueAt } from '#shared/json/pointer.ts'

/** Maximum schemas examined for one pointer: references may form cycles, and alternatives multiply. */
const maxSchemas = 1_000

/** Whether a JSON Schema declares an array at a pointer of the data, in any of its alternatives. */
export function holdsArray(schema: unknown, pointer: string): boolean {
  const steps = parsePointer(pointer)
  const seen = { schemas: 0 }
  const schemasHere = (places: readonly unknown[]) => places.flatMap((place) => alternativesOf(place, schema, seen))
  const found = (steps ?? []).reduce(
    (places: Schema[], step) => schemasHere(places.flatMap((place) => partAt(place, step))),
    schemasHere(steps ? [schema] : []),
  )
  return found.some(({ type }) => [type].flat().includes('array'))
}

type Schema = Record<string, unknown>

/** A schema and those that it refers to or chooses among. */
function alternativesOf(place: unknown, root: unknown, seen: { schemas: number }): Schema[] {
  if (!isObject(place) || seen.schemas++ >= maxSchemas) return []
  const { $ref, allOf, anyOf, oneOf } = place
  if (typeof $ref === 'string') return $ref.startsWith('#') ? alternativesOf(referredBy(root, $ref), root, seen) : []
  const others = [allOf, anyOf, oneOf].flatMap((all) => (Array.isArray(all) ? all : []))
  return [place, ...others.flatMap((other) => alternativesOf(other, root, seen))]
}

function referredBy(root: unknown, reference: string): unknown {
  try {
    return valueAt(root, decodeURIComponent(reference.slice(1)))
  } catch {
    return undefined // not percent-encoded, as for the types of data
  }
}

/** The schemas of a member or an element. */
function partAt({ properties, items }: Schema, step: string): unknown[] {
  const isOwn = isObject(properties) && Object.hasOwn(properties, step)
  const member = isOwn ? [properties[step]] : []
  if (!/^(0|[1-9]\d*)$/.test(step)) return member
  return [...member, Array.isArray(items) ? items[Number(step)] : items]
}
