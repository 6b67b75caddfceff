import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { referenceOf, type SchemaObject } from '#shared/json-schema/ast.ts'
import { referenceReader } from '#shared/json-schema/references.ts'
import type { CellType } from './cell.ts'

/** Schemas that are looked at for one column: references may lead in a circle, and alternatives multiply. */
const maxSchemas = 1_000

/** What may stand at a place: cell types, none where only null may or nothing; null: the schema does not say. */
type Types = ReadonlySet<CellType> | null

/**
 * What the cells of a column are read as whose values go to a pointer, by a JSON Schema of draft-07: `type`, `enum` and `const`, through
 * `allOf`, `anyOf`, `oneOf`, `if` and references. Where several types may be there, it is text if that is one of them, and else JSON. Null: the
 * schema does not say.
 */
export function createCellTypes(schema: unknown): (pointer: string) => CellType | null {
  if (!isObject(schema)) return () => null
  const references = referenceReader(schema)
  return (pointer) => {
    const types = typesBelow(schema, parsePointer(pointer) ?? [], { references, schemas: 0 })
    if (types === null || types.size === 0) return null
    const [only = 'text'] = types
    if (types.size === 1) return only
    return types.has('text') || types.has('date') ? 'text' : 'json'
  }
}

type Reader = { references: ReturnType<typeof referenceReader>; schemas: number }

/** The types at the end of a path of steps. All that a schema says holds together; of alternatives each one may. */
function typesBelow(schema: unknown, steps: readonly string[], reader: Reader): Types {
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

function ownTypes(schema: SchemaObject, steps: readonly string[], reader: Reader): Types[] {
  const [step, ...further] = steps
  if (step !== undefined) return [either(partsAt(schema, step), further, reader)]
  const values = Object.hasOwn(schema, 'const') ? [schema.const] : elements(schema.enum)
  return [
    typesNamed([schema.type].flat(), /^date(-time)?$/.test(String(schema.format))),
    typesNamed(values.map(typeOfValue), false),
  ]
}

/** Of names of JSON types; without any nothing is said. */
function typesNamed(names: readonly unknown[], isDate: boolean): Types {
  const known = names.flatMap((name) => (name === 'string' && isDate ? 'date' : (cellTypesOf.get(name) ?? [])))
  return known.length === 0 && !names.includes('null') ? null : new Set(known)
}

const cellTypesOf: ReadonlyMap<unknown, CellType> = new Map([
  ['string', 'text'],
  ['number', 'number'],
  ['integer', 'number'],
  ['boolean', 'boolean'],
  ['object', 'json'],
  ['array', 'json'],
])

function typeOfValue(value: unknown): string {
  return typeof value === 'object' ? (value === null ? 'null' : 'object') : typeof value
}

/** An alternative that says nothing allows everything. */
function either(parts: readonly unknown[], steps: readonly string[], reader: Reader): Types {
  const alternatives = parts.map((part) => typesBelow(part, steps, reader))
  if (alternatives.length === 0 || alternatives.includes(null)) return null
  return new Set(alternatives.flatMap((types) => [...(types ?? [])]))
}

/** What `if` decides between. */
function branches({ if: condition, then = true, else: otherwise = true }: SchemaObject): unknown[] {
  return condition === undefined ? [] : [then, otherwise]
}

function both(some: Types, others: Types): Types {
  if (some === null || others === null) return some ?? others
  const shared = [...some].filter((type) => others.has(type))
  // A date is a text of which more is said.
  if (some.has('date') !== others.has('date') && (some.has('text') || others.has('text'))) shared.push('date')
  return new Set(shared)
}

/**
 * The schemas of which a member or an element has one, as far as the schema itself says. Which pattern a name has is for the server to
 * say, whose engine is too heavy for a page.
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
