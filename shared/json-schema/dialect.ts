import { own } from '#shared/json/own.ts'
import { referenceOf, type SchemaError, type SchemaObject } from './ast.ts'
import { isMetaSchema, metaUri, referenceReader } from './references.ts'
import type { Visit } from './schema-names.ts'

/** Other drafts by a part of their address, and what to change in schemas of each. */
const drafts: readonly [part: string, name: string, change: string][] = [
  ['/draft/2020-12/', '2020-12', '$defs is definitions there, prefixItems is an array as items, items after it is additionalItems, and dependentRequired and dependentSchemas are dependencies'],
  ['/draft/2019-09/', '2019-09', '$defs is definitions there, and dependentRequired and dependentSchemas are dependencies'],
  ['/draft-06/', 'draft-06', 'nothing else has to change'],
  ['/draft-04/', 'draft-04', 'id is $id there, and exclusiveMinimum and exclusiveMaximum are numbers instead of minimum and maximum'],
  ['/draft-03/', 'draft-03', 'required is an array of names next to properties there, and divisibleBy is multipleOf'],
] // biome-ignore format: a table

/** The errors of schemas that name another draft: their keywords may mean something else. */
export function dialectErrors(visits: readonly Visit[]): SchemaError[] {
  return visits.flatMap(({ schema, tokens }) => {
    const dialect = own(schema, '$schema')
    if (typeof dialect !== 'string' || isMetaSchema(dialect.replace(/#$/, '')) || referenceOf(schema) !== null)
      return []
    const [, name, change] = drafts.find(([part]) => dialect.includes(part)) ?? []
    const why = name ? `: this is ${name}. With draft-07, ${change}` : ''
    return [{ tokens: [...tokens, '$schema'], message: `must be ${metaUri}#, or absent${why}` }]
  })
}

const keywords = new Set([
  '$id', '$schema', '$ref', '$comment', 'title', 'description', 'default', 'examples', 'readOnly', 'writeOnly', 'definitions', 'type',
  'enum', 'const', 'multipleOf', 'maximum', 'exclusiveMaximum', 'minimum', 'exclusiveMinimum', 'maxLength', 'minLength', 'pattern',
  'format', 'contentMediaType', 'contentEncoding', 'items', 'additionalItems', 'maxItems', 'minItems', 'uniqueItems', 'contains',
  'maxProperties', 'minProperties', 'required', 'properties', 'patternProperties', 'additionalProperties', 'dependencies',
  'propertyNames', 'if', 'then', 'else', 'allOf', 'anyOf', 'oneOf', 'not',
]) // biome-ignore format: a list of words

/** The replacements in draft-07 for keywords of other drafts. */
const instead: Readonly<Record<string, string>> = {
  $defs: 'definitions',
  $anchor: '$id with # before the name',
  $recursiveRef: '$ref',
  $dynamicRef: '$ref',
  id: '$id',
  prefixItems: 'items with an array',
  dependentRequired: 'dependencies',
  dependentSchemas: 'dependencies',
  divisibleBy: 'multipleOf',
  extends: 'allOf',
  disallow: 'not',
  nullable: 'type with "null"',
  example: 'examples',
}

/** Further warnings are only counted. */
const maxWarnings = 10

/**
 * A warning for each keyword that draft-07 does not have and that therefore validates nothing, with its first place. Names that begin with
 * `x-` are deliberate extensions.
 * @param root a schema; its form need not be valid
 */
export function keywordWarnings(root: SchemaObject): string[] {
  const places = new Map<string, string>()
  for (const { schema, tokens } of referenceReader(root).visits.values()) {
    for (const name of Object.keys(schema)) {
      if (keywords.has(name) || name.startsWith('x-') || places.has(name)) continue
      places.set(name, tokens.length === 0 ? '' : ` at ${tokens.join('.')}`)
    }
  }
  const warnings = [...places].slice(0, maxWarnings).map(([name, place]) => {
    const other = Object.hasOwn(instead, name) ? `; draft-07 has ${instead[name]}` : ''
    return `The schema has ${shown(name)}${shown(place)}, which is not a keyword of draft-07 and validates nothing${other}.`
  })
  const left = places.size - warnings.length
  return left > 0 ? [...warnings, `The schema has ${left} more names that are not keywords of draft-07.`] : warnings
}

const maxLength = 100

function shown(text: string): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}…` : text
}
