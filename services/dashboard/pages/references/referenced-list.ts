import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { parsePointer, valueAt } from '#shared/json/pointer.ts'

/** Schemas that are looked through for one place: a schema may refer to itself. */
const mostSchemas = 100

/**
 * The list whose items the texts at a place of the data name, or the elements of an array there, as the keyword `x-list` of a schema says; null: none. It is looked for
 * behind references into the schema and in `allOf`, `anyOf` and `oneOf`.
 * @param pointer into the data
 */
export function referencedList(schema: unknown, pointer: string): string | null {
  let places = expanded(schema, [schema])
  for (const step of parsePointer(pointer) ?? []) {
    const below = places.flatMap((one) => [own(Object(own(one, 'properties')), step)])
    places = expanded(schema, below)
  }
  const elements = expanded(
    schema,
    places.map((one) => own(one, 'items')),
  )
  const found = [...places, ...elements]
    .map((one) => own(one, 'x-list'))
    .find((list) => typeof list === 'string' && list !== '')
  return typeof found === 'string' ? found : null
}

/** Schemas, and those that hold for the same value. */
function expanded(root: unknown, schemas: readonly unknown[]): Record<string, unknown>[] {
  const all = new Set<Record<string, unknown>>()
  const left = [...schemas]
  // Iterating an array also visits what is added meanwhile.
  for (const one of left) {
    if (!isObject(one) || all.has(one) || all.size >= mostSchemas) continue
    all.add(one)
    if (typeof one.$ref === 'string' && one.$ref.startsWith('#')) left.push(valueAt(root, decoded(one.$ref.slice(1))))
    for (const keyword of ['allOf', 'anyOf', 'oneOf']) left.push(...[own(one, keyword) ?? []].flat())
  }
  return [...all]
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
