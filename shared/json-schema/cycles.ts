import { isObject } from '#shared/json/is-object.ts'
import { type SchemaError, type SchemaObject, subschemas } from './ast.ts'
import type { Visit } from './schema-names.ts'

/** Longest chain of schemas that apply each other to one value; only an attack needs more. */
const maxChain = 200

/** Errors of references that come back to themselves for the same value: validation would never end. */
export function cycleErrors(
  visits: ReadonlyMap<SchemaObject, Visit>,
  targets: ReadonlyMap<SchemaObject, unknown>,
): SchemaError[] {
  const state = new Map<SchemaObject, 'entered' | 'left'>()
  /** The schema at which a chain closes or becomes too long. */
  function cycleFrom(schema: unknown, chain: number): SchemaObject | null {
    if (!isObject(schema) || state.get(schema) === 'left') return null
    if (state.get(schema) === 'entered' || chain > maxChain) return schema
    state.set(schema, 'entered')
    const parts = subschemas(schema).filter(({ sameValue }) => sameValue)
    const next = [targets.get(schema), ...parts.map((part) => part.schema)]
    const cycle = next.reduce<SchemaObject | null>((found, part) => found ?? cycleFrom(part, chain + 1), null)
    state.set(schema, 'left')
    return cycle
  }
  const message = 'refers to itself, or through too many schemas, for the same value'
  return [...visits.keys()]
    .map((schema) => visits.get(cycleFrom(schema, 0) ?? {}))
    .filter((visit) => visit !== undefined)
    .map(({ tokens }) => ({ tokens, message }))
}
