import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'

/** The structure of a draft-07 JSON Schema: which parts of it are schemas themselves. */

export type SchemaObject = Record<string, unknown>

/** An error in a schema itself: where, from its root, and what. */
export type SchemaError = { tokens: string[]; message: string }

export type Subschema = {
  /** The path from the schema it is a part of. */
  tokens: string[]
  schema: unknown
  /** Whether it validates the same value as the schema it is a part of, and not a part of that value. */
  sameValue: boolean
}

/** The reference of a schema; next to one every other keyword is ignored in draft-07. */
export function referenceOf(schema: SchemaObject): string | null {
  return typeof schema.$ref === 'string' ? schema.$ref : null
}

/** The schemas that this one applies or defines. Malformed keywords hold none. */
export function subschemas(schema: SchemaObject): Subschema[] {
  if (referenceOf(schema) !== null) return membersOf(schema, 'definitions', false)
  return [
    ...[...sameValueKeywords, ...partKeywords].flatMap((keyword) => single(schema, keyword)),
    ...listKeywords.flatMap((keyword) => elementsOf(schema, keyword)),
    ...mapKeywords.flatMap((keyword) => membersOf(schema, keyword, keyword === 'dependencies')),
  ]
}

/** Keywords that hold one schema, for the value itself and for parts of it. */
export const sameValueKeywords = ['not', 'if', 'then', 'else'] as const
export const partKeywords = ['items', 'additionalItems', 'contains', 'additionalProperties', 'propertyNames'] as const
/** Keywords that hold an array of schemas; all but `items` are for the value itself. */
export const listKeywords = ['allOf', 'anyOf', 'oneOf', 'items'] as const
/** Keywords that hold schemas by name. */
export const mapKeywords = ['properties', 'patternProperties', 'dependencies', 'definitions'] as const

/** Ajv ignores the name `__proto__` in `properties`, so such a property becomes this pattern. */
export const protoPattern = '^__proto__$'

/** A name in `patternProperties` as a pattern; ajv ignores `__proto__` there too. */
export function namePattern(name: string): string {
  return name === '__proto__' ? '(?:__proto__)' : name
}

function single(schema: SchemaObject, keyword: string): Subschema[] {
  const part = own(schema, keyword)
  if (part === undefined || Array.isArray(part)) return []
  return [{ tokens: [keyword], schema: part, sameValue: sameValueKeywords.includes(keyword as 'not') }]
}

function elementsOf(schema: SchemaObject, keyword: string): Subschema[] {
  const parts = own(schema, keyword)
  if (!Array.isArray(parts)) return []
  return parts.map((part, n) => ({ tokens: [keyword, String(n)], schema: part, sameValue: keyword !== 'items' }))
}

/** An array in `dependencies` is a list of names. */
function membersOf(schema: SchemaObject, keyword: string, sameValue: boolean): Subschema[] {
  return entriesOf(schema, keyword)
    .filter(([, part]) => !Array.isArray(part))
    .map(([name, part]) => ({ tokens: [keyword, name], schema: part, sameValue }))
}

/** The schemas by name of a keyword that holds a map of them; none when it is malformed. */
export function entriesOf(schema: SchemaObject, keyword: string): [string, unknown][] {
  const members = own(schema, keyword)
  return isObject(members) ? Object.entries(members) : []
}
