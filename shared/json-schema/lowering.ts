import type { SchemaAnalysis } from './analysis.ts'
import type { Cost } from './keywords.ts'
import {
  entriesOf,
  isSchemaObject,
  listKeywords,
  namePattern,
  own,
  partKeywords,
  protoPattern,
  referenceOf,
  type SchemaObject,
  sameValueKeywords,
} from './tree.ts'

/**
 * The schemas that ajv is given in place of a list's schema: the root first, then everything that is referred to. They hold
 * keywords of draft-07 and nothing else, so that what only ajv knows (`$async`, `nullable`, `id`) means as little as in
 * draft-07. In place of `$ref` stands `call` with the number of a schema, and each carries its `cost`.
 */
export function lowerSchemas({ root, targets }: SchemaAnalysis): unknown[] {
  const numbers = new Map<unknown, number>([[root, 0]])
  for (const target of targets.values()) {
    if (isSchemaObject(target) && !numbers.has(target)) numbers.set(target, numbers.size)
  }
  const inner = (schema: unknown): unknown => {
    if (!isSchemaObject(schema)) return schema
    const number = numbers.get(schema)
    return number === undefined ? prepare(schema) : { call: number }
  }
  const prepare = (schema: SchemaObject) =>
    referenceOf(schema) === null ? lowerKeywords(schema, inner) : inner(targets.get(schema))
  return [...numbers.keys()].map((schema) => prepare(schema as SchemaObject))
}

type Inner = (schema: unknown) => unknown

const plainKeywords = [
  'type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength',
  'minLength', 'pattern', 'maxItems', 'minItems', 'maxProperties', 'minProperties', 'required', 'format',
] // biome-ignore format: a list of words

function lowerKeywords(schema: SchemaObject, inner: Inner): SchemaObject {
  const prepared: SchemaObject = {}
  for (const keyword of plainKeywords) copy(prepared, schema, keyword)
  if (own(schema, 'uniqueItems') === true) prepared.uniqueItems = true
  for (const keyword of [...sameValueKeywords, ...partKeywords, ...listKeywords]) {
    copy(prepared, schema, keyword, (value) => (Array.isArray(value) ? value.map(inner) : inner(value)))
  }
  addProperties(prepared, schema, inner)
  addDependencies(prepared, schema, inner)
  if (Object.keys(prepared).length > 0) prepared.cost = costOf(prepared)
  shortenLists(prepared)
  return prepared
}

function copy(prepared: SchemaObject, schema: SchemaObject, keyword: string, inner: Inner = (value) => value): void {
  const value = own(schema, keyword)
  if (value !== undefined) prepared[keyword] = inner(value)
}

/** Ajv leaves `__proto__` out of `properties`; as a pattern it is a name like any other. */
function addProperties(prepared: SchemaObject, schema: SchemaObject, inner: Inner): void {
  const properties = entriesOf(schema, 'properties')
  const named = properties.filter(([name]) => name !== '__proto__')
  const proto = properties.filter(([name]) => name === '__proto__')
  const patterns = new Map(
    entriesOf(schema, 'patternProperties').map(([name, part]) => [namePattern(name), inner(part)]),
  )
  for (const [, part] of proto) {
    const other = patterns.get(protoPattern)
    patterns.set(protoPattern, other === undefined ? inner(part) : { allOf: [other, inner(part)] })
  }
  if (named.length > 0) prepared.properties = Object.fromEntries(named.map(([name, part]) => [name, inner(part)]))
  if (patterns.size > 0) prepared.patternProperties = Object.fromEntries(patterns)
}

/** As conditions, because ajv leaves `__proto__` out of `dependencies` too, and writes long lists of them badly. */
function addDependencies(prepared: SchemaObject, schema: SchemaObject, inner: Inner): void {
  const rules = entriesOf(schema, 'dependencies').map(([name, part]) =>
    Object.fromEntries([
      ['if', { type: 'object', required: [name] }],
      ['then', Array.isArray(part) ? { required: part } : inner(part)],
    ]),
  )
  if (rules.length > 0) prepared.allOf = [...((prepared.allOf as unknown[]) ?? []), ...rules]
}

function costOf(prepared: SchemaObject): Cost {
  const sizes = Object.entries(prepared).map(([keyword, value]) => {
    if (keyword === 'enum' || keyword === 'const') return 1
    return typeof value === 'object' && value !== null ? 1 + Object.keys(value).length : 1
  })
  return {
    own: sizes.reduce((sum, size) => sum + size, 0),
    readsText: ['maxLength', 'minLength', 'pattern', 'format'].some((keyword) => keyword in prepared),
    walksKeys: ['patternProperties', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'].some(
      (keyword) => keyword in prepared,
    ),
    walksItems: ['items', 'additionalItems', 'contains'].some((keyword) => keyword in prepared),
  }
}

/** Ajv writes the check of each part inside the one before; so many at most, or the code nests too deeply to be read. */
const maxNested = 100

function shortenLists(prepared: SchemaObject): void {
  const properties = Object.entries((prepared.properties as SchemaObject) ?? {})
  if (properties.length > maxNested) {
    // The names stay where `additionalProperties` looks for them.
    prepared.properties = Object.fromEntries(properties.map(([name]) => [name, true]))
    const groups = groupsOf(properties).map((group) => ({ properties: Object.fromEntries(group) }))
    prepared.allOf = [...((prepared.allOf as unknown[]) ?? []), ...groups]
  }
  for (const keyword of ['allOf', 'anyOf']) {
    const parts = prepared[keyword] as unknown[] | undefined
    if (parts && parts.length > maxNested) prepared[keyword] = groupsOf(parts).map((group) => ({ [keyword]: group }))
  }
}

function groupsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / maxNested)
  return Array.from({ length: count }, (_, n) => all.slice(n * maxNested, (n + 1) * maxNested))
}
