import { stringify } from '#client/src/json.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import type { SchemaObject } from '#shared/json-schema/ast.ts'
import { entriesOf } from '#shared/json-schema/ast.ts'
import { numberOf, textsOf } from './keyword-errors.ts'
import { mergeSchema } from './merged-schema.ts'
import type { SchemaReader } from './schema-reader.ts'
import { type Variant, variantsOf } from './variants.ts'

/** A value to choose: `text` is JSON. */
export type Choice = { text: string; label: string }

/** A member that an object may have. */
export type Property = { name: string; schema: unknown; isRequired: boolean }

/** The kind of field that edits a place of the data. */
export type Shape =
  /** `others`: the schema of members that are not in `properties`; null: no others are allowed. */
  | { kind: 'object'; properties: readonly Property[]; others: unknown }
  /** `first`: the schemas of a tuple's elements; `rest`: the schema of all later elements; null: no later ones are allowed. */
  | { kind: 'array'; first: readonly unknown[]; rest: unknown; least: number; most: number }
  /** `isLong`: it may have several lines. */
  | { kind: 'text'; isLong: boolean }
  | { kind: 'date' | 'time' | 'date-time' | 'number' | 'boolean' }
  | { kind: 'choice'; choices: readonly Choice[] }
  /** A text that is the id or the alias of an item of that list. */
  | { kind: 'reference'; list: string }
  | { kind: 'variants'; variants: readonly Variant[] }
  /** Only null is allowed. */
  | { kind: 'null' }
  /** No field fits: it is edited as JSON. */
  | { kind: 'json' }

/** A place of the data as a form shows it. */
export type Field = {
  shape: Shape
  /** The merged keywords of the place. */
  schema: SchemaObject
  isNullable: boolean
  title: string | null
  help: string | null
}

/**
 * The field for a place. It reads one level of the schema. The fields of members are computed when they are shown, so that a recursive
 * schema ends where the data end.
 * @param value the parsed value of the place; undefined: there is none
 */
export function fieldOf(reader: SchemaReader, schema: unknown, value: unknown): Field {
  const merged = mergeSchema(reader, schema, value)
  const keywords = merged?.schema ?? {}
  const notes = {
    schema: keywords,
    title: nonEmpty(keywords.title),
    help: nonEmpty(keywords.description),
  }
  if (!merged) return { ...notes, shape: { kind: 'json' }, isNullable: false }
  const types = typesOf(keywords)
  const hasNull = types === null ? hasNullChoice(keywords) : types.includes('null')
  const found = variantsOf(reader, merged, types)
  if (found) {
    const choices = choicesOfVariants(reader, found.variants)
    const isNullable = hasNull || found.hasNull
    const [only] = found.variants
    if (choices) return { ...notes, shape: { kind: 'choice', choices }, isNullable }
    if (only && found.variants.length === 1) {
      const field = fieldOf(reader, only.schema, value)
      return { ...field, isNullable: field.isNullable || isNullable }
    }
    return { ...notes, shape: { kind: 'variants', variants: found.variants }, isNullable }
  }
  return { ...notes, shape: shapeOf(keywords, types), isNullable: hasNull }
}

const nonEmpty = (text: unknown) => (typeof text === 'string' && text.trim() !== '' ? text : null)

/** The types that a schema names, or the one type that its keywords imply; null: any. */
function typesOf(schema: SchemaObject): string[] | null {
  if (schema.type !== undefined) return [schema.type].flat().filter((type) => typeof type === 'string')
  const meant = typeHints.filter(([, keywords]) => keywords.some((keyword) => Object.hasOwn(schema, keyword)))
  const [only] = meant
  return only && meant.length === 1 ? [only[0]] : null
}

const typeHints = [
  ['object', ['properties', 'additionalProperties', 'patternProperties', 'required', 'minProperties', 'propertyNames']],
  ['array', ['items', 'additionalItems', 'contains', 'minItems', 'maxItems', 'uniqueItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format', 'x-list']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
] as const

/** The values of a schema's `const` or `enum`; null: it has neither. */
export function allowedValues(schema: SchemaObject): readonly unknown[] | null {
  if (Object.hasOwn(schema, 'const')) return [schema.const]
  return Array.isArray(schema.enum) ? schema.enum : null
}

const hasNullChoice = (schema: SchemaObject) => allowedValues(schema)?.includes(null) ?? false

function choiceOf(value: unknown): Choice {
  const text = stringify(value) ?? 'null'
  return { text, label: typeof value === 'string' ? value : text }
}

/** The choices of variants that each allow a single value, labeled by their titles; null: a variant allows more, or an object. */
function choicesOfVariants(reader: SchemaReader, variants: readonly Variant[]): Choice[] | null {
  const choices = variants.map(({ schema, title }) => {
    const keywords = mergeSchema(reader, schema, undefined)?.schema ?? {}
    const values = allowedValues(keywords)
    if (values?.length !== 1 || isObject(values[0])) return null
    const choice = choiceOf(values[0])
    return { ...choice, label: nonEmpty(keywords.title) === null ? choice.label : title }
  })
  return choices.every((choice) => choice !== null) ? choices : null
}

function shapeOf(schema: SchemaObject, types: readonly string[] | null): Shape {
  const values = allowedValues(schema)
  if (values) {
    const others = values.filter((value) => value !== null)
    return others.length > 0 ? { kind: 'choice', choices: others.map(choiceOf) } : { kind: 'null' }
  }
  const [type, ...more] = (types ?? []).filter((one) => one !== 'null')
  if (type === undefined) return { kind: types?.includes('null') ? 'null' : 'json' }
  if (more.length > 0 && !(more.length === 1 && types?.includes('integer') && types.includes('number')))
    return { kind: 'json' }
  if (type === 'object') return objectShape(schema)
  if (type === 'array') return arrayShape(schema)
  if (type === 'string') return textShape(schema)
  if (type === 'boolean') return { kind: 'boolean' }
  return { kind: type === 'number' || type === 'integer' ? 'number' : 'json' }
}

function objectShape(schema: SchemaObject): Shape {
  const required = textsOf(schema.required)
  const named = entriesOf(schema, 'properties').filter(([, property]) => property !== false)
  const properties = named.map(([name, property]) => ({ name, schema: property, isRequired: required.includes(name) }))
  const unnamed = required.filter((name) => !named.some(([known]) => known === name))
  const others = othersOf(schema)
  const inherited = unnamed.map((name) => ({ name, schema: others ?? {}, isRequired: true }))
  return { kind: 'object', properties: [...properties, ...inherited], others }
}

/** The schema of other members. `{}` (any) if names would have to be matched to patterns: only the service does that. */
function othersOf(schema: SchemaObject): unknown {
  const [pattern, ...more] = entriesOf(schema, 'patternProperties')
  const others = own(schema, 'additionalProperties') ?? true
  if (pattern) return others === false && more.length === 0 ? pattern[1] : {}
  if (others === false) return null
  return others === true ? {} : others
}

function arrayShape(schema: SchemaObject): Shape {
  const items = own(schema, 'items') ?? true
  const first = Array.isArray(items) ? items : []
  const rest = Array.isArray(items) ? (own(schema, 'additionalItems') ?? true) : items
  return {
    kind: 'array',
    first,
    rest: rest === false ? null : rest,
    least: numberOf(schema, 'minItems') ?? 0,
    most: Math.min(
      numberOf(schema, 'maxItems') ?? Number.POSITIVE_INFINITY,
      rest === false ? first.length : Number.POSITIVE_INFINITY,
    ),
  }
}

/** A text with at most this many characters has a single-line field. */
const longestLine = 120

function textShape(schema: SchemaObject): Shape {
  const { format, pattern } = schema
  const list = schema['x-list']
  if (typeof list === 'string' && list !== '') return { kind: 'reference', list }
  if (format === 'date' || format === 'time' || format === 'date-time') return { kind: format }
  const most = numberOf(schema, 'maxLength') ?? Number.POSITIVE_INFINITY
  return { kind: 'text', isLong: format === undefined && pattern === undefined && most > longestLine }
}
