import { isObject } from '#shared/json/is-object.ts'
import { entriesOf, referenceOf, type SchemaError, type SchemaObject } from './ast.ts'
import { cycleErrors } from './cycles.ts'
import { dialectErrors } from './dialect.ts'
import type { LinearRegExp } from './patterns/linear-regexp.ts'
import { compilePatterns } from './patterns/patterns.ts'
import { referenceReader } from './references.ts'
import type { Visit } from './schema-names.ts'

/** An analyzed schema: the targets of its references, and its compiled patterns. */
export type SchemaAnalysis = {
  root: SchemaObject
  /** The target of each schema with a `$ref`. */
  targets: ReadonlyMap<SchemaObject, unknown>
  patterns: ReadonlyMap<string, LinearRegExp>
}

/**
 * Analyzes every schema that the root holds or refers to.
 * @param validate checks a schema's form; called for targets of references outside the keywords that hold schemas
 */
export function analyzeSchema(
  root: SchemaObject,
  validate: (schema: unknown) => SchemaError[],
): { analysis: SchemaAnalysis; errors: SchemaError[] } {
  const targets = new Map<SchemaObject, unknown>()
  const errors: SchemaError[] = []
  const references = referenceReader(root)
  // Iterating a map also visits entries that are added during the loop.
  for (const visit of references.visits.values()) {
    const { schema, tokens } = visit
    if (referenceOf(schema) === null) continue
    const found = references.resolve(visit)
    if ('error' in found) {
      errors.push({ tokens: [...tokens, '$ref'], message: found.error })
      continue
    }
    targets.set(schema, found.schema)
    if (isObject(found.schema) && references.visits.has(found.schema)) continue
    errors.push(...validate(found.schema).map((error) => ({ ...error, tokens: [...found.tokens, ...error.tokens] })))
    references.visit(found)
  }
  const visits = [...references.visits.values()]
  const patterns = compilePatterns(visits, errors)
  errors.push(...dialectErrors(visits), ...references.errors, ...sizeErrors(visits), ...branchErrors(visits))
  errors.push(...cycleErrors(references.visits, targets))
  return { analysis: { root, targets, patterns }, errors }
}

/** Schemas in a schema; compiling this many takes a second. A dependency is compiled as a condition, which is three. */
const maxSchemas = 10_000

function sizeErrors(visits: readonly Visit[]): SchemaError[] {
  const dependencies = visits.reduce((sum, { schema }) => sum + entriesOf(schema, 'dependencies').length, 0)
  if (visits.length + 3 * dependencies <= maxSchemas) return []
  return [{ tokens: [], message: `must not have more than ${maxSchemas} schemas` }]
}

/** The code for `oneOf` nests every branch in the one before; lists of the other keywords are split (lowering.ts). */
const maxBranches = 400

function branchErrors(visits: readonly Visit[]): SchemaError[] {
  return visits
    .filter(({ schema }) => Array.isArray(schema.oneOf) && schema.oneOf.length > maxBranches)
    .map(({ tokens }) => ({ tokens: [...tokens, 'oneOf'], message: `must have at most ${maxBranches} schemas` }))
}
