import { loopFaults } from './cycles.ts'
import type { LinearRegExp } from './linear-regexp.ts'
import { planPatterns } from './patterns.ts'
import { referenceReader, type Visit } from './references.ts'
import { entriesOf, isSchemaObject, type PlanFault, referenceOf, type SchemaObject } from './tree.ts'

/** A schema that has been looked through: what it refers to, and its patterns ready to run. */
export type SchemaPlan = {
  root: SchemaObject
  /** What each schema with a `$ref` refers to. */
  targets: ReadonlyMap<SchemaObject, unknown>
  patterns: ReadonlyMap<string, LinearRegExp>
}

/**
 * Looks through every schema that the root holds or refers to.
 * @param validate faults of a schema's form, asked for what a reference leads to outside the keywords that hold schemas
 */
export function planSchema(
  root: SchemaObject,
  validate: (schema: unknown) => PlanFault[],
): { plan: SchemaPlan; faults: PlanFault[] } {
  const targets = new Map<SchemaObject, unknown>()
  const faults: PlanFault[] = []
  const references = referenceReader(root)
  // A map hands over what is added while it is read.
  for (const visit of references.visits.values()) {
    const { schema, tokens } = visit
    if (referenceOf(schema) === null) continue
    const found = references.resolve(visit)
    if ('fault' in found) {
      faults.push({ tokens: [...tokens, '$ref'], message: found.fault })
      continue
    }
    targets.set(schema, found.schema)
    if (isSchemaObject(found.schema) && references.visits.has(found.schema)) continue
    faults.push(...validate(found.schema).map((fault) => ({ ...fault, tokens: [...found.tokens, ...fault.tokens] })))
    references.visit(found)
  }
  const visits = [...references.visits.values()]
  const patterns = planPatterns(visits, faults)
  faults.push(...sizeFaults(visits), ...branchFaults(visits), ...loopFaults(references.visits, targets))
  return { plan: { root, targets, patterns }, faults }
}

/** Schemas in a schema; compiling so many takes a second. A dependency is compiled as a condition, which is three. */
const maxSchemas = 10_000

function sizeFaults(visits: readonly Visit[]): PlanFault[] {
  const dependencies = visits.reduce((sum, { schema }) => sum + entriesOf(schema, 'dependencies').length, 0)
  if (visits.length + 3 * dependencies <= maxSchemas) return []
  return [{ tokens: [], message: `must not hold more than ${maxSchemas} schemas` }]
}

/** `oneOf` has to try every branch, one inside the code of the other; the other keywords are taken apart. */
const maxBranches = 400

function branchFaults(visits: readonly Visit[]): PlanFault[] {
  return visits
    .filter(({ schema }) => Array.isArray(schema.oneOf) && schema.oneOf.length > maxBranches)
    .map(({ tokens }) => ({ tokens: [...tokens, 'oneOf'], message: `must have at most ${maxBranches} schemas` }))
}
