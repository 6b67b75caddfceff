import { stringify } from '#client/src/json.ts'
import { allowedValues, type Field, fieldOf } from './field.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Most levels and elements of an initial value: a schema may require infinitely many. */
const deepest = 8
const mostElements = 100

/**
 * The initial data of a new item: the schema's defaults, and the required values that it determines. Other required texts, numbers and
 * flags are not invented: the form reports them as missing.
 * @returns compact JSON
 */
export function newItemText(reader: SchemaReader): string {
  return firstValue(reader, reader.root) ?? '{}'
}

/** The initial value of a place, as compact JSON; undefined: the user has to enter it. */
export function firstValue(reader: SchemaReader, schema: unknown, depth = 0): string | undefined {
  const field = fieldOf(reader, schema, undefined)
  if (Object.hasOwn(field.schema, 'default')) return stringify(field.schema.default)
  const values = allowedValues(field.schema)
  if (values?.length === 1) return stringify(values[0])
  if (depth >= deepest) return undefined
  if (field.shape.kind === 'object') return firstObject(reader, field, depth)
  return field.shape.kind === 'array' ? firstArray(reader, field, depth) : undefined
}

/** The initial value of an added element. If the user has to enter it, it is null or, if null is not allowed, an empty text. */
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
