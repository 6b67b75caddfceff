import { stringify } from '#client/src/json.ts'
import { canonicalJson } from '#shared/json/canonical.ts'
import { isMultipleOf } from '#shared/json/decimal.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { dataError } from '#shared/json-schema/errors.ts'
import { lightFormats } from '#shared/json-schema/formats/light-formats.ts'

// What a schema says of a value by itself, without what is inside of it. The page may compile no program, as the service does for a
// schema; the words are the same. Patterns and host names are left to the service, which has what they take: an engine, and tables of characters.

/** What the keywords of a schema do not allow about a value, in the words of the service. @param value parsed by `JSON.parse` */
export function keywordErrors(schema: SchemaObject, value: unknown): string[] {
  const errors = valueErrors(schema, value)
  if (typeof value === 'number') return [...errors, ...numberErrors(schema, value)]
  if (typeof value === 'string') return [...errors, ...textErrors(schema, value)]
  if (Array.isArray(value)) return [...errors, ...arrayErrors(schema, value)]
  return isObject(value) ? [...errors, ...objectErrors(schema, value)] : errors
}

/** The sentence about a property that is not there. */
export function missingError(property: string): string {
  return reported('required', { missingProperty: property })
}

function reported(keyword: string, params: Record<string, unknown>, message?: string): string {
  return dataError({ instancePath: '', keyword, params, ...(message === undefined ? {} : { message }) }).message
}

function valueErrors(schema: SchemaObject, value: unknown): string[] {
  const { type, enum: values } = schema
  const errors: string[] = []
  if (type !== undefined && ![type].flat().some((one) => hasType(value, one))) errors.push(reported('type', { type }))
  if (Array.isArray(values) && !values.some((one) => isSame(one, value)))
    errors.push(reported('enum', { schema: plain(values) }))
  const constant = own(schema, 'const')
  if (constant !== undefined && !isSame(constant, value)) errors.push(reported('const', { schema: plain(constant) }))
  return errors
}

/** Whether a value is of a type of JSON Schema. */
export function hasType(value: unknown, type: unknown): boolean {
  if (type === 'integer') return typeof value === 'number' && Number.isInteger(value)
  if (type === 'null') return value === null
  if (type === 'array') return Array.isArray(value)
  return type === 'object' ? isObject(value) : typeof value === type
}

/** Numbers of a schema may be such that a double does not hold: the service compares doubles. */
const plain = (value: unknown): unknown => JSON.parse(stringify(value) ?? 'null')

const isSame = (one: unknown, other: unknown) => canonicalJson(plain(one)) === canonicalJson(other)

/** The number of a keyword; undefined: it says none. */
export function numberOf(schema: SchemaObject, keyword: string): number | undefined {
  const value = own(schema, keyword)
  return value === undefined ? undefined : Number(String(value))
}

type Bound = readonly [
  keyword: string,
  isKept: (value: number, bound: number) => boolean,
  words: (bound: number) => string,
]

const numberBounds: readonly Bound[] = [
  ['maximum', (value, bound) => value <= bound, (bound) => `must be <= ${bound}`],
  ['minimum', (value, bound) => value >= bound, (bound) => `must be >= ${bound}`],
  ['exclusiveMaximum', (value, bound) => value < bound, (bound) => `must be < ${bound}`],
  ['exclusiveMinimum', (value, bound) => value > bound, (bound) => `must be > ${bound}`],
]

const lengthBounds = (what: string, most: string, least: string): readonly Bound[] => [
  [most, (value, bound) => value <= bound, (bound) => `must NOT have more than ${bound} ${what}`],
  [least, (value, bound) => value >= bound, (bound) => `must NOT have fewer than ${bound} ${what}`],
]
const textBounds = lengthBounds('characters', 'maxLength', 'minLength')
const arrayBounds = lengthBounds('items', 'maxItems', 'minItems')
const objectBounds = lengthBounds('properties', 'maxProperties', 'minProperties')

function boundErrors(schema: SchemaObject, value: number, bounds: readonly Bound[]): string[] {
  return bounds.flatMap(([keyword, isKept, words]) => {
    const bound = numberOf(schema, keyword)
    return bound === undefined || isKept(value, bound) ? [] : [words(bound)]
  })
}

function numberErrors(schema: SchemaObject, value: number): string[] {
  const divisor = numberOf(schema, 'multipleOf')
  const isOff = divisor !== undefined && !isMultipleOf(value, divisor)
  return [...boundErrors(schema, value, numberBounds), ...(isOff ? [reported('multipleOf', { schema: divisor })] : [])]
}

function textErrors(schema: SchemaObject, value: string): string[] {
  const { format } = schema
  const check = typeof format === 'string' ? lightFormats.get(format) : undefined
  // A length is one of characters, not of UTF-16 units.
  return [
    ...boundErrors(schema, [...value].length, textBounds),
    ...(check && !check(value) ? [`must match format "${format}"`] : []),
  ]
}

function arrayErrors(schema: SchemaObject, value: readonly unknown[]): string[] {
  const isRepeated = schema.uniqueItems === true && new Set(value.map((one) => canonicalJson(one))).size < value.length
  return [...boundErrors(schema, value.length, arrayBounds), ...(isRepeated ? [reported('uniqueItems', {})] : [])]
}

function objectErrors(schema: SchemaObject, value: Record<string, unknown>): string[] {
  const missing = textsOf(schema.required).filter((name) => !Object.hasOwn(value, name))
  return [...boundErrors(schema, Object.keys(value).length, objectBounds), ...missing.map(missingError)]
}

/** The texts of a keyword that is a list of them. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The sentence about a property that may not be there. */
export function unknownError(property: string): string {
  return reported('additionalProperties', { additionalProperty: property })
}
