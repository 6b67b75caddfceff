import { stringify } from '#client/src/json.ts'
import { canonicalJson } from '#shared/json/canonical.ts'
import { isMultipleOf } from '#shared/json/decimal.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { dataError } from '#shared/json-schema/errors.ts'
import { lightFormats } from '#shared/json-schema/formats/light-formats.ts'

// Checks a value against the keywords of its schema, without its members. The service compiles a schema to code, which the page is not
// allowed to do; the messages are the same. Only the service checks patterns and host names: they need an engine and tables of characters.

/** The errors of a value by the keywords of a schema, with the service's messages. @param value parsed by `JSON.parse` */
export function keywordErrors(schema: SchemaObject, value: unknown): string[] {
  const errors = valueErrors(schema, value)
  if (typeof value === 'number') return [...errors, ...numberErrors(schema, value)]
  if (typeof value === 'string') return [...errors, ...textErrors(schema, value)]
  if (Array.isArray(value)) return [...errors, ...arrayErrors(schema, value)]
  return isObject(value) ? [...errors, ...objectErrors(schema, value)] : errors
}

/** The message for a missing property. */
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

/** Rounds the numbers of a schema to doubles, because the service compares doubles. */
const plain = (value: unknown): unknown => JSON.parse(stringify(value) ?? 'null')

const isSame = (one: unknown, other: unknown) => canonicalJson(plain(one)) === canonicalJson(other)

/** The number of a keyword; undefined: the schema does not have the keyword. */
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
  // The length counts characters, not UTF-16 units.
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

/** The strings of a keyword that is a list. */
export function textsOf(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : []
}

/** The message for a property that is not allowed. */
export function unknownError(property: string): string {
  return reported('additionalProperties', { additionalProperty: property })
}
