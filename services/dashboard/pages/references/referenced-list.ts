import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { parsePointer, valueAt } from '#shared/json/pointer.ts'

/** Schemas that are searched for one place at most: a schema may refer to itself. */
const mostSchemas = 100

/**
 * The list that the texts at a place of the data, or the elements of an array there, refer to: the keyword `x-list` of its schema. Follows
 * references into the schema, `allOf`, `anyOf` and `oneOf`.
 * @param pointer into the data
 * @returns null: there is no such keyword
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

/** The schemas, and all schemas that apply to the same value. */
function expanded(root: unknown, schemas: readonly unknown[]): Record<string, unknown>[] {
  const all = new Set<Record<string, unknown>>()
  const left = [...schemas]
  // The loop also visits schemas that it adds to the array.
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
