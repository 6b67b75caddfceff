import type { Visit } from './references.ts'
import { isSchemaObject, type SchemaError, type SchemaObject, subschemas } from './tree.ts'

/** Schemas that may apply each other to one value, in a chain: more of them would only be met in an attack. */
const maxChain = 200

/** References that lead back to themselves without going deeper into the value would never come to an end. */
export function cycleErrors(
  visits: ReadonlyMap<SchemaObject, Visit>,
  targets: ReadonlyMap<SchemaObject, unknown>,
): SchemaError[] {
  const state = new Map<SchemaObject, 'entered' | 'left'>()
  /** The schema that a chain comes back to, or at which it is too long. */
  function cycleFrom(schema: unknown, chain: number): SchemaObject | null {
    if (!isSchemaObject(schema) || state.get(schema) === 'left') return null
    if (state.get(schema) === 'entered' || chain > maxChain) return schema
    state.set(schema, 'entered')
    const parts = subschemas(schema).filter(({ sameValue }) => sameValue)
    const next = [targets.get(schema), ...parts.map((part) => part.schema)]
    const loop = next.reduce<SchemaObject | null>((found, part) => found ?? cycleFrom(part, chain + 1), null)
    state.set(schema, 'left')
    return loop
  }
  const message = 'refers back to itself, or from one schema to the next too often, for one and the same value'
  return [...visits.keys()]
    .map((schema) => visits.get(cycleFrom(schema, 0) ?? {}))
    .filter((visit) => visit !== undefined)
    .map(({ tokens }) => ({ tokens, message }))
}
