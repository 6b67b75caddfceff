import { maxSchemaBytes } from '../limits.ts'
import type { Kind, Observed } from './observe.ts'

export type InferredSchema = {
  type?: string | string[]
  format?: string
  enum?: (string | null)[]
  properties?: Record<string, InferredSchema>
  required?: string[]
  items?: InferredSchema
}

/**
 * A draft-07 schema that accepts all samples, and what is like them: the types at each place, what every object has, formats
 * that at least three texts have, and the values of a text that clearly has only a few. More properties stay allowed. What is
 * null or empty in all samples, and what is too deep, is left open.
 */
export function inferSchema(observed: Observed): InferredSchema {
  for (let depth = deepest; ; depth--) {
    const schema = schemaOf(observed, { depth, inArray: false })
    if (depth === 0 || bytesOf(schema) <= maxSchemaBytes) return schema
  }
}

/** Levels of objects and arrays; fewer where the schema would be longer than a list's may be. */
const deepest = 8

const bytesOf = (schema: InferredSchema) => new TextEncoder().encode(JSON.stringify(schema, null, 2)).length

type Place = { depth: number; inArray: boolean }

function schemaOf(seen: Observed, place: Place): InferredSchema {
  const types = typesOf(seen)
  if (types.every((type) => type === 'null')) return {}
  const schema: InferredSchema = { type: types.length === 1 ? (types[0] as string) : types }
  const format = formatOf(seen)
  const values = place.inArray ? null : enumOf(seen, types)
  if (format) schema.format = format
  else if (values) schema.enum = values
  if (place.depth > 0) addInner(schema, seen, { ...place, depth: place.depth - 1 })
  return schema
}

const order: readonly Kind[] = ['string', 'integer', 'number', 'boolean', 'object', 'array', 'null']

function typesOf({ kinds }: Observed): Kind[] {
  return order.filter((kind) => kinds.has(kind) && !(kind === 'integer' && kinds.has('number')))
}

function addInner(schema: InferredSchema, seen: Observed, place: Place): void {
  if (seen.properties.size > 0) {
    const entries = [...seen.properties]
    const objects = seen.kinds.get('object')
    const required = entries.filter(([, { count }]) => count === objects).map(([name]) => name)
    // Own properties, also `__proto__`.
    schema.properties = Object.fromEntries(entries.map(([name, property]) => [name, schemaOf(property, place)]))
    if (required.length > 0) schema.required = required
  }
  if (!seen.elements) return
  const items = schemaOf(seen.elements, { ...place, inArray: true })
  if (items.type !== undefined) schema.items = items
}

/** Fewer texts may have a format by chance. */
const fewestForFormat = 3

function formatOf({ kinds, texts }: Observed): string | undefined {
  if ((kinds.get('string') ?? 0) < fewestForFormat) return undefined
  return texts.formats.find((format) => format !== 'local-time')
}

/** A text is one of a few values when each was there several times, and all of them many times. */
const enumerable = { most: 8, longest: 40, each: 2, all: 20, onAverage: 4 }

function enumOf({ kinds, texts }: Observed, types: readonly Kind[]): (string | null)[] | null {
  const strings = kinds.get('string') ?? 0
  if (types.some((type) => type !== 'string' && type !== 'null') || texts.longest > enumerable.longest) return null
  const values = [...texts.short]
  const areFew =
    values.length > 1 && values.length <= enumerable.most && strings >= values.length * enumerable.onAverage
  if (!areFew || strings < enumerable.all || values.some(([, times]) => times < enumerable.each)) return null
  const sorted = values.map(([value]) => value).sort()
  return types.includes('null') ? [...sorted, null] : sorted
}
