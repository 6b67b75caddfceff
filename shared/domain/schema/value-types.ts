import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { referenceOf, type SchemaObject } from '#shared/json-schema/ast.ts'
import { referenceReader } from '#shared/json-schema/references.ts'

/** Maximum schemas examined for one value: references may form cycles, and alternatives multiply. */
const maxSchemas = 1_000

/** A type of values; `date` is text in the format `date` or `date-time`. */
export type ValueType = 'text' | 'date' | 'number' | 'boolean' | 'object' | 'array'

/** The types that are allowed at a place; empty: only null, or no value; null: the schema does not restrict them. */
export type ValueTypes = ReadonlySet<ValueType> | null

/**
 * Returns a function for the types of values at a pointer, by a JSON Schema of draft-07: `type`, `enum` and `const`, through `allOf`,
 * `anyOf`, `oneOf`, `if` and references.
 */
export function createValueTypes(schema: unknown): (pointer: string) => ValueTypes {
  if (!isObject(schema)) return () => null
  const references = referenceReader(schema)
  return (pointer) => typesBelow(schema, parsePointer(pointer) ?? [], { references, schemas: 0 })
}

type Reader = { references: ReturnType<typeof referenceReader>; schemas: number }

/** The types at the end of a path. All keywords of a schema apply together; any of its alternatives may apply. */
function typesBelow(schema: unknown, steps: readonly string[], reader: Reader): ValueTypes {
  if (schema === false) return new Set()
  if (!isObject(schema) || ++reader.schemas > maxSchemas) return null
  if (referenceOf(schema) !== null) return typesBelow(referredBy(schema, reader), steps, reader)
  const said = [
    ...ownTypes(schema, steps, reader),
    ...elements(schema.allOf).map((part) => typesBelow(part, steps, reader)),
    ...[elements(schema.anyOf), elements(schema.oneOf), branches(schema)].map((parts) => either(parts, steps, reader)),
  ]
  return said.reduce(both, null)
}

function referredBy(schema: SchemaObject, { references }: Reader): unknown {
  const visit = references.visits.get(schema)
  const place = visit && references.resolve(visit)
  return place && 'schema' in place ? place.schema : undefined
}

function ownTypes(schema: SchemaObject, steps: readonly string[], reader: Reader): ValueTypes[] {
  const [step, ...further] = steps
  if (step !== undefined) return [either(partsAt(schema, step), further, reader)]
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : elements(schema.enum)
  return [
    typesNamed([schema.type].flat(), /^date(-time)?$/.test(String(schema.format))),
    typesNamed(values.map(typeOfValue), false),
  ]
}

/** Converts names of JSON types; no names mean no restriction. */
function typesNamed(names: readonly unknown[], isDate: boolean): ValueTypes {
  const known = names.flatMap((name) => (name === 'string' && isDate ? 'date' : (typesOf.get(name) ?? [])))
  return known.length === 0 && !names.includes('null') ? null : new Set(known)
}

const typesOf: ReadonlyMap<unknown, ValueType> = new Map([
  ['string', 'text'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['object', 'object'],
  ['array', 'array'],
])

function typeOfValue(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** An alternative without a restriction allows everything. */
function either(parts: readonly unknown[], steps: readonly string[], reader: Reader): ValueTypes {
  const alternatives = parts.map((part) => typesBelow(part, steps, reader))
  if (alternatives.length === 0 || alternatives.includes(null)) return null
  return new Set(alternatives.flatMap((types) => [...(types ?? [])]))
}

/** The branches of an `if`. */
function branches({ if: condition, then = true, else: otherwise = true }: SchemaObject): unknown[] {
  return condition === undefined ? [] : [then, otherwise]
}

function both(some: ValueTypes, others: ValueTypes): ValueTypes {
  if (some === null || others === null) return some ?? others
  const shared = [...some].filter((type) => others.has(type))
  // A date is a restricted text.
  if (some.has('date') !== others.has('date') && (some.has('text') || others.has('text'))) shared.push('date')
  return new Set(shared)
}

/**
 * The schemas of which one applies to a member or an element, by the schema's own keywords. Only the server decides which pattern a name
 * matches: its engine is too large for a page.
 */
function partsAt({ properties, items, additionalItems, ...others }: SchemaObject, step: string): unknown[] {
  if (isObject(properties) && Object.hasOwn(properties, step)) return [properties[step]]
  const patterns = isObject(others.patternProperties) ? Object.values(others.patternProperties) : []
  const named = [...patterns, others.additionalProperties]
  if (!/^(?:0|[1-9]\d*)$/.test(step)) return named
  if (!Array.isArray(items)) return items === undefined ? named : [items]
  return [Number(step) < items.length ? items[Number(step)] : additionalItems]
}

function elements(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}
