import { stringify } from '#client/src/json.ts'
import { allowedValues, type Field, fieldOf } from './field.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Levels and members that a value begins with: a schema may ask for endlessly many. */
const deepest = 8
const mostElements = 100

/**
 * The data that a new item begins with: what the schema requires as far as it says it, and its defaults. Texts, numbers and flags that
 * are required are not invented: the form reports them.
 * @returns compact JSON
 */
export function newItemText(reader: SchemaReader): string {
  return firstValue(reader, reader.root) ?? '{}'
}

/** What a place begins with when somebody adds it, as compact JSON; undefined: somebody has to say it. */
export function firstValue(reader: SchemaReader, schema: unknown, depth = 0): string | undefined {
  const field = fieldOf(reader, schema, undefined)
  if (Object.hasOwn(field.schema, 'default')) return stringify(field.schema.default)
  const values = allowedValues(field.schema)
  if (values?.length === 1) return stringify(values[0])
  if (depth >= deepest) return undefined
  if (field.shape.kind === 'object') return firstObject(reader, field, depth)
  return field.shape.kind === 'array' ? firstArray(reader, field, depth) : undefined
}

/** An element that somebody adds: one whose value has to be said is an empty text until then. */
export function firstElement(reader: SchemaReader, schema: unknown, depth = 0): string {
  const field = fieldOf(reader, schema, undefined)
  return firstValue(reader, schema, depth) ?? (field.isNullable ? 'null' : '""')
}

function firstObject(reader: SchemaReader, { shape }: Field, depth: number): string {
  if (shape.kind !== 'object') return '{}'
  const members = shape.properties.flatMap(({ name, schema, isRequired }) => {
    const hasDefault = () => Object.hasOwn(fieldOf(reader, schema, undefined).schema, 'default')
    const text = isRequired || hasDefault() ? firstValue(reader, schema, depth + 1) : undefined
    return text === undefined ? [] : [`${JSON.stringify(name)}:${text}`]
  })
  return `{${members.join(',')}}`
}

function firstArray(reader: SchemaReader, { shape }: Field, depth: number): string {
  if (shape.kind !== 'array') return '[]'
  const { first, rest, least } = shape
  const elements = Array.from({ length: Math.min(least, mostElements) }, (_, n) =>
    firstElement(reader, first[n] ?? rest ?? {}, depth + 1),
  )
  return `[${elements.join(',')}]`
}
