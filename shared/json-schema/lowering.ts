import { isRawNumber } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import type { SchemaAnalysis } from './analysis.ts'
import {
  entriesOf,
  listKeywords,
  namePattern,
  partKeywords,
  protoPattern,
  referenceOf,
  type SchemaObject,
  sameValueKeywords,
} from './ast.ts'
import type { Cost } from './keywords/draft07-keywords.ts'

/**
 * The schemas that ajv compiles in place of a list's schema: the root first, then all targets of references. They hold only
 * keywords of draft-07, so that ajv's own (`$async`, `nullable`, `id`) have no meaning, as in draft-07. `$ref` becomes `call`
 * with the number of a schema, and each schema has its `cost`.
 * @param options.exact for keywords that compare numbers by their decimal value (exact-keywords.ts)
 */
export function lowerSchemas({ root, targets }: SchemaAnalysis, { exact }: { exact: boolean }): unknown[] {
  const numbers = new Map<unknown, number>([[root, 0]])
  for (const target of targets.values()) {
    if (isObject(target) && !numbers.has(target)) numbers.set(target, numbers.size)
  }
  const inner = (schema: unknown): unknown => {
    if (!isObject(schema)) return schema
    const number = numbers.get(schema)
    return number === undefined ? lower(schema) : { call: number }
  }
  const lower = (schema: SchemaObject) =>
    referenceOf(schema) === null ? lowerKeywords(schema, inner, exact) : inner(targets.get(schema))
  return [...numbers.keys()].map((schema) => lower(schema as SchemaObject))
}

type Inner = (schema: unknown) => unknown

const plainKeywords = [
  'type', 'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'pattern',
  'required', 'format',
] // biome-ignore format: a list of words
/** No value has as many of anything as a double cannot hold. */
const countKeywords = ['maxLength', 'minLength', 'maxItems', 'minItems', 'maxProperties', 'minProperties']

/** Whether a `type` has no numbers but integers. */
export function isInteger(type: unknown): boolean {
  const types = [type].flat()
  return types.includes('integer') && !types.includes('number')
}

function lowerKeywords(schema: SchemaObject, inner: Inner, exact: boolean): SchemaObject {
  const lowered: SchemaObject = {}
  for (const keyword of plainKeywords) copy(lowered, schema, keyword)
  for (const keyword of countKeywords)
    copy(lowered, schema, keyword, (value) => (isRawNumber(value) ? Number(value.rawJSON) : value))
  if (exact && isInteger(lowered.type)) lowered.whole = lowered.type
  if (own(schema, 'uniqueItems') === true) lowered.uniqueItems = true
  for (const keyword of [...sameValueKeywords, ...partKeywords, ...listKeywords]) {
    copy(lowered, schema, keyword, (value) => (Array.isArray(value) ? value.map(inner) : inner(value)))
  }
  addProperties(lowered, schema, inner)
  addDependencies(lowered, schema, inner)
  if (Object.keys(lowered).length > 0) lowered.cost = costOf(lowered)
  splitLists(lowered)
  return lowered
}

function copy(lowered: SchemaObject, schema: SchemaObject, keyword: string, inner: Inner = (value) => value): void {
  const value = own(schema, keyword)
  if (value !== undefined) lowered[keyword] = inner(value)
}

/** Ajv ignores `__proto__` in `properties`; as a pattern it is a name like any other. */
function addProperties(lowered: SchemaObject, schema: SchemaObject, inner: Inner): void {
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
  if (named.length > 0) lowered.properties = Object.fromEntries(named.map(([name, part]) => [name, inner(part)]))
  if (patterns.size > 0) lowered.patternProperties = Object.fromEntries(patterns)
}

/** As conditions, because ajv ignores `__proto__` in `dependencies` too, and generates bad code for long lists of them. */
function addDependencies(lowered: SchemaObject, schema: SchemaObject, inner: Inner): void {
  const rules = entriesOf(schema, 'dependencies').map(([name, part]) =>
    Object.fromEntries([
      ['if', { type: 'object', required: [name] }],
      ['then', Array.isArray(part) ? { required: part } : inner(part)],
    ]),
  )
  if (rules.length > 0) lowered.allOf = [...((lowered.allOf as unknown[]) ?? []), ...rules]
}

function costOf(lowered: SchemaObject): Cost {
  const sizes = Object.entries(lowered).map(([keyword, value]) => {
    if (keyword === 'enum' || keyword === 'const') return 1
    return typeof value === 'object' && value !== null ? 1 + Object.keys(value).length : 1
  })
  return {
    own: sizes.reduce((sum, size) => sum + size, 0),
    readsText: ['maxLength', 'minLength', 'pattern', 'format'].some((keyword) => keyword in lowered),
    walksKeys: ['patternProperties', 'additionalProperties', 'propertyNames', 'minProperties', 'maxProperties'].some(
      (keyword) => keyword in lowered,
    ),
    walksItems: ['items', 'additionalItems', 'contains'].some((keyword) => keyword in lowered),
  }
}

/** Ajv nests the check of each part in the one before; with more parts its code is too deep to be parsed. */
const maxNested = 100

function splitLists(lowered: SchemaObject): void {
  const properties = Object.entries((lowered.properties as SchemaObject) ?? {})
  if (properties.length > maxNested) {
    // The names stay where `additionalProperties` looks them up.
    lowered.properties = Object.fromEntries(properties.map(([name]) => [name, true]))
    const groups = groupsOf(properties).map((group) => ({ properties: Object.fromEntries(group) }))
    lowered.allOf = [...((lowered.allOf as unknown[]) ?? []), ...groups]
  }
  for (const keyword of ['allOf', 'anyOf']) {
    const parts = lowered[keyword] as unknown[] | undefined
    if (parts && parts.length > maxNested) lowered[keyword] = groupsOf(parts).map((group) => ({ [keyword]: group }))
  }
}

function groupsOf<T>(all: readonly T[]): T[][] {
  const count = Math.ceil(all.length / maxNested)
  return Array.from({ length: count }, (_, n) => all.slice(n * maxNested, (n + 1) * maxNested))
}
