import { stringify } from '#client/src/json.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { entriesOf, referenceOf, type SchemaObject } from '#shared/json-schema/ast.ts'
import { hasType } from './keyword-errors.ts'
import { matches } from './matches.ts'
import { type MergedSchema, mergeSchema } from './merged-schema.ts'
import type { SchemaReader } from './schema-reader.ts'

/** One of the variants that a place allows. */
export type Variant = { title: string; schema: unknown }

type Found = { variants: readonly Variant[]; hasNull: boolean }

const typeTitles: Readonly<Record<string, string>> = {
  string: 'Text',
  integer: 'Whole number',
  number: 'Number',
  boolean: 'Yes or no',
  object: 'Object',
  array: 'List',
}

/**
 * The variants of a place: the schemas of its `oneOf` or `anyOf`, or its types. Alternatives that only restrict the enclosing schema are
 * not variants.
 * @param types those that the schema names; null: any
 * @returns null: the place has no variants
 */
export function variantsOf(reader: SchemaReader, merged: MergedSchema, types: readonly string[] | null): Found | null {
  const { schema, alternatives } = merged
  const group = alternatives.find((parts) => parts.some((part) => describes(reader, part)))
  if (group) {
    const titled = group.map((part, n) => ({ part, title: titleOf(reader, part, n) }))
    const others = titled.filter(({ part }) => !isNull(reader, part))
    // A variant keeps its own title. The title and description of the enclosing schema are shown once, for the place.
    const { title: _title, description: _description, ...around } = schema
    const variants = others.map(({ part, title }) => ({ title, schema: { allOf: [part, around] } }))
    return { variants, hasNull: others.length < titled.length }
  }
  if (Object.hasOwn(schema, 'enum') || Object.hasOwn(schema, 'const')) return null
  const all = types ?? Object.keys(typeTitles).filter((type) => type !== 'integer')
  const several = all.filter((type) => type !== 'null' && !(type === 'integer' && all.includes('number')))
  if (several.length < 2) return null
  const { title: _title, description: _description, type: _type, ...around } = schema
  const variants = several.map((type) => ({ title: typeTitles[type] ?? type, schema: { allOf: [{ type }, around] } }))
  return { variants, hasNull: types === null || all.includes('null') }
}

const describing = ['type', 'properties', 'items', 'enum', 'const', 'format', 'x-list', 'oneOf', 'anyOf']

/** Whether a schema describes a value, and does not only require some of its members. */
function describes(reader: SchemaReader, schema: unknown): boolean {
  const merged = mergeSchema(reader, schema, undefined)
  return (
    merged !== null && (merged.alternatives.length > 0 || describing.some((one) => Object.hasOwn(merged.schema, one)))
  )
}

function isNull(reader: SchemaReader, schema: unknown): boolean {
  const keywords = mergeSchema(reader, schema, undefined)?.schema
  return keywords?.type === 'null' || (keywords !== undefined && own(keywords, 'const') === null)
}

function titleOf(reader: SchemaReader, part: unknown, n: number): string {
  const { title, type } = mergeSchema(reader, part, undefined)?.schema ?? {}
  if (typeof title === 'string' && title !== '') return title
  const name = isObject(part) ? referenceOf(part)?.split('/').at(-1) : undefined
  if (name && name !== '#') return name
  const [constant] = constantsOf(reader, part).values()
  if (constant !== undefined) return constant.replace(/^"(.*)"$/, '$1')
  return (typeof type === 'string' && type !== 'object' ? typeTitles[type] : undefined) ?? `Form ${n + 1}`
}

/** The members with a single allowed value, as JSON texts by name. */
function constantsOf(reader: SchemaReader, schema: unknown): Map<string, string> {
  const properties = entriesOf(mergeSchema(reader, schema, undefined)?.schema ?? {}, 'properties')
  return new Map(
    properties.flatMap(([name, property]) => {
      const keywords: SchemaObject = mergeSchema(reader, property, undefined)?.schema ?? {}
      if (Object.hasOwn(keywords, 'const')) return [[name, stringify(keywords.const) ?? '']]
      return Array.isArray(keywords.enum) && keywords.enum.length === 1
        ? [[name, stringify(keywords.enum[0]) ?? '']]
        : []
    }),
  )
}

/**
 * The index of a value's variant: the one whose constant members (its discriminator) it has, the chosen one if it has the same type, the
 * first that it matches, or the first of its type.
 * @param chosen the index of the variant that the user chose
 * @returns -1: there is none
 */
export function meantVariant(reader: SchemaReader, variants: readonly Variant[], value: unknown, chosen = -1): number {
  if (value === undefined || value === null) return chosen
  const reported = isObject(value) ? variants.findIndex(({ schema }) => hasConstants(reader, schema, value)) : -1
  if (reported >= 0) return reported
  const kept = variants[chosen]
  if (kept && isOfType(reader, kept, value)) return chosen
  const matching = variants.findIndex(({ schema }) => matches(reader, schema, value))
  return matching >= 0 ? matching : variants.findIndex((variant) => isOfType(reader, variant, value))
}

/** Whether a value has the constant members of a schema that has any. */
function hasConstants(reader: SchemaReader, schema: unknown, value: Record<string, unknown>): boolean {
  const constants = [...constantsOf(reader, schema)]
  return constants.length > 0 && constants.every(([name, text]) => JSON.stringify(own(value, name)) === text)
}

function isOfType(reader: SchemaReader, { schema }: Variant, value: unknown): boolean {
  const keywords = mergeSchema(reader, schema, undefined)?.schema
  return (
    keywords !== undefined &&
    (keywords.type === undefined || [keywords.type].flat().some((type) => hasType(value, type)))
  )
}
