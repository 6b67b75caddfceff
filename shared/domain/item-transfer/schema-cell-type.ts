import { createValueTypes } from '../schema/value-types.ts'
import type { CellType } from './cell.ts'

type Container = 'object' | 'array'

/**
 * Returns a function for the type of cells at a pointer, by a JSON Schema. If several types are allowed, it is text if that is one of
 * them, and otherwise JSON. Null: the schema does not restrict the type.
 */
export function createCellTypes(schema: unknown): (pointer: string) => CellType | null {
  const typesAt = createValueTypes(schema)
  return (pointer) => {
    const allowed = typesAt(pointer)
    if (allowed === null || allowed.size === 0) return null
    const types = new Set([...allowed].map((type) => (type === 'object' || type === 'array' ? 'json' : type)))
    const [only = 'text'] = types
    if (types.size === 1) return only
    return types.has('text') || types.has('date') ? 'text' : 'json'
  }
}

/** Returns a function that says whether a pointer is the place of an object or of an array; null: the schema allows both, or neither. */
export function createContainers(schema: unknown): (pointer: string) => Container | null {
  const typesAt = createValueTypes(schema)
  return (pointer) => {
    const types = typesAt(pointer)
    if (types === null || types.has('array') === types.has('object')) return null
    return types.has('array') ? 'array' : 'object'
  }
}
