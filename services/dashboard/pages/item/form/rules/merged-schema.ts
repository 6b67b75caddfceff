import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { entriesOf, type SchemaObject } from '#shared/json-schema/ast.ts'
import { matches } from './matches.ts'
import type { SchemaReader } from './schema-reader.ts'

/**
 * One level of a schema: `schema` merges its references, its `allOf` and the applicable branch of its `if`; `alternatives` are its lists
 * of `oneOf` and `anyOf`. Only the service checks what a form cannot show, such as `not`.
 */
export type MergedSchema = { schema: SchemaObject; alternatives: readonly (readonly unknown[])[] }

/** Schemas that are merged for one value at most. */
const mostMerged = 200

/** @param value the parsed value of the place; undefined: there is none. @returns null: no value is allowed there */
export function mergeSchema(reader: SchemaReader, schema: unknown, value: unknown): MergedSchema | null {
  const merged: SchemaObject = {}
  const alternatives: unknown[][] = []
  const seen = new Set<unknown>()
  const left: unknown[] = [schema]
  // The loop also visits schemas that it adds to the array.
  for (const one of left) {
    const read = reader.read(one)
    if (read === null) return null
    if (seen.has(read) || seen.size >= mostMerged) continue
    seen.add(read)
    addNotes(merged, one)
    addKeywords(merged, read)
    for (const keyword of ['oneOf', 'anyOf']) {
      const list = own(read, keyword)
      if (Array.isArray(list) && list.length > 0) alternatives.push(list)
    }
    left.push(...partsOf(reader, read, value))
  }
  return { schema: merged, alternatives }
}

/** The schemas that apply together with a schema: `allOf`, the applicable branch of `if`, and `dependencies`. */
function partsOf(reader: SchemaReader, schema: SchemaObject, value: unknown): unknown[] {
  const allOf = own(schema, 'allOf')
  const condition = own(schema, 'if')
  const isKept = condition !== undefined && value !== undefined && matches(reader, condition, value)
  const branch = condition === undefined || value === undefined ? undefined : own(schema, isKept ? 'then' : 'else')
  const dependent = entriesOf(schema, 'dependencies').flatMap(([name, part]) => {
    if (!isObject(value) || !Object.hasOwn(value, name)) return []
    return [Array.isArray(part) ? { required: part } : part]
  })
  return [...(Array.isArray(allOf) ? allOf : []), ...(branch === undefined ? [] : [branch]), ...dependent]
}

/** In draft-07, keywords next to a reference are ignored, but a title or description there still describes the place. */
function addNotes(merged: SchemaObject, schema: unknown): void {
  if (!isObject(schema)) return
  for (const keyword of ['title', 'description', 'x-list']) {
    if (Object.hasOwn(schema, keyword)) merged[keyword] ??= schema[keyword]
  }
}

type Merge = (one: unknown, other: unknown) => unknown

const numberText = (value: unknown) => Number(String(value))
const greater: Merge = (one, other) => (numberText(other) > numberText(one) ? other : one)
const smaller: Merge = (one, other) => (numberText(other) < numberText(one) ? other : one)
const both: Merge = (one, other) => ({ allOf: [one, other] })

const merges: Readonly<Record<string, Merge>> = {
  type: (one, other) => mergeTypes([one].flat(), [other].flat()),
  enum: (one, other) => mergeChoices(one, other),
  required: (one, other) => [...new Set([one, other].flat())],
  properties: (one, other) => mergeProperties(one, other),
  patternProperties: (one, other) => mergeProperties(one, other),
  additionalProperties: (one, other) => (one === false || other === false ? false : both(one, other)),
  items: (one, other) => (Array.isArray(one) || Array.isArray(other) ? one : both(one, other)),
  uniqueItems: (one, other) => one === true || other === true,
  minimum: greater,
  exclusiveMinimum: greater,
  minLength: greater,
  minItems: greater,
  minProperties: greater,
  maximum: smaller,
  exclusiveMaximum: smaller,
  maxLength: smaller,
  maxItems: smaller,
  maxProperties: smaller,
}

/** Keywords that combine schemas: they are not copied into the merged schema. */
const combining = new Set([
  '$ref',
  '$id',
  'allOf',
  'oneOf',
  'anyOf',
  'if',
  'then',
  'else',
  'dependencies',
  'definitions',
  'not',
])

/** Adds the keywords of a schema. Without a rule for merging a keyword, the first schema's value stays: outer schemas come first. */
function addKeywords(merged: SchemaObject, schema: SchemaObject): void {
  for (const [keyword, value] of Object.entries(schema)) {
    if (combining.has(keyword)) continue
    if (!Object.hasOwn(merged, keyword)) merged[keyword] = value
    else if (Object.hasOwn(merges, keyword)) merged[keyword] = merges[keyword]?.(merged[keyword], value)
  }
}

function mergeTypes(some: readonly unknown[], others: readonly unknown[]): unknown[] {
  const has = (list: readonly unknown[], type: unknown) =>
    list.includes(type) || (type === 'integer' && list.includes('number'))
  return [...new Set([...some.filter((type) => has(others, type)), ...others.filter((type) => has(some, type))])]
}

function mergeChoices(some: unknown, others: unknown): unknown {
  if (!Array.isArray(some) || !Array.isArray(others)) return some
  const texts = new Set(others.map((one) => JSON.stringify(one)))
  return some.filter((one) => texts.has(JSON.stringify(one)))
}

function mergeProperties(some: unknown, others: unknown): unknown {
  if (!isObject(some) || !isObject(others)) return some
  const merged = new Map(Object.entries(some))
  for (const [name, schema] of Object.entries(others)) {
    const known = merged.get(name)
    merged.set(name, known === undefined ? schema : both(known, schema))
  }
  return Object.fromEntries(merged)
}
