import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { entriesOf, type SchemaObject } from '#shared/json-schema/ast.ts'
import { keywordErrors } from './keyword-errors.ts'
import type { SchemaReader } from './schema-reader.ts'

/** Comparisons of one call at most: every further one counts as a match. */
const mostSteps = 2_000

/**
 * Whether a value matches a schema, as far as a page can check: `pattern`, `patternProperties`, `contains` and `propertyNames` always
 * pass. This chooses among several schemas.
 */
export function matches(reader: SchemaReader, schema: unknown, value: unknown): boolean {
  return isMatch({ reader, steps: mostSteps }, schema, value)
}

type Work = { reader: SchemaReader; steps: number }

function isMatch(work: Work, schema: unknown, value: unknown): boolean {
  if (work.steps-- <= 0) return true
  const read = work.reader.read(schema)
  if (read === null) return false
  return keywordErrors(read, value).length === 0 && combinesTo(work, read, value) && hasParts(work, read, value)
}

const listOf = (schema: SchemaObject, keyword: string) => {
  const value = own(schema, keyword)
  return Array.isArray(value) ? value : undefined
}

function combinesTo(work: Work, schema: SchemaObject, value: unknown): boolean {
  const holds = (one: unknown) => isMatch(work, one, value)
  const condition = own(schema, 'if')
  const then = condition === undefined ? undefined : own(schema, holds(condition) ? 'then' : 'else')
  const negated = own(schema, 'not')
  return (
    (listOf(schema, 'allOf') ?? []).every(holds) &&
    (listOf(schema, 'anyOf')?.some(holds) ?? true) &&
    (listOf(schema, 'oneOf')?.some(holds) ?? true) &&
    (negated === undefined || !holds(negated)) &&
    (then === undefined || holds(then))
  )
}

function hasParts(work: Work, schema: SchemaObject, value: unknown): boolean {
  if (Array.isArray(value)) return hasElements(work, schema, value)
  if (!isObject(value)) return true
  const properties = new Map(entriesOf(schema, 'properties'))
  const others =
    entriesOf(schema, 'patternProperties').length > 0 ? true : (own(schema, 'additionalProperties') ?? true)
  return Object.entries(value).every(([name, member]) => isMatch(work, properties.get(name) ?? others, member))
}

function hasElements(work: Work, schema: SchemaObject, value: readonly unknown[]): boolean {
  const items = own(schema, 'items')
  const rest = Array.isArray(items) ? (own(schema, 'additionalItems') ?? true) : (items ?? true)
  return value.every((element, n) => isMatch(work, Array.isArray(items) && n < items.length ? items[n] : rest, element))
}
