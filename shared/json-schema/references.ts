import { parsePointer } from '#shared/json/pointer.ts'
import { isSchemaObject, own, referenceOf, type SchemaObject, subschemas } from './ast.ts'

/** A schema, its path from the root, and the schema that `#` means in it: the nearest one around it with an `$id`. */
export type Visit = { schema: SchemaObject; tokens: string[]; base: SchemaObject }
export type Place = { schema: unknown; tokens: string[]; base: SchemaObject }

/**
 * Visits a schema and resolves references in it. They stay in the document: each begins with `#`, so nothing is ever
 * fetched, and an `$id` only names a place in it.
 */
export function referenceReader(root: SchemaObject) {
  const visits = new Map<SchemaObject, Visit>()
  const anchors = new Map<SchemaObject, Map<string, Place>>()
  const reader = {
    /** The schemas visited so far, each once. */
    visits: visits as ReadonlyMap<SchemaObject, Visit>,
    visit(start: Place): void {
      const places = [start]
      // Iterating an array also visits what is added meanwhile.
      for (const place of places) {
        const { schema, tokens } = place
        if (!isSchemaObject(schema) || visits.has(schema)) continue
        const base = nameAnchor(place, schema)
        visits.set(schema, { schema, tokens, base })
        for (const part of subschemas(schema)) places.push({ ...part, tokens: [...tokens, ...part.tokens], base })
      }
    },
    /** The target of the `$ref` of a visited schema, or why it does not resolve. */
    resolve({ schema, base }: Visit): Place | { error: string } {
      const reference = referenceOf(schema) ?? ''
      if (!reference.startsWith('#'))
        return { error: 'must begin with #: references outside the schema are not allowed' }
      const fragment = decodeFragment(reference.slice(1))
      const tokens = fragment === null ? null : parsePointer(fragment)
      const found = tokens ? placeAt(base, tokens) : anchors.get(base)?.get(fragment ?? '')
      if (!found) return { error: 'does not resolve' }
      if (isSchemaObject(found.schema) || typeof found.schema === 'boolean') return found
      return { error: 'does not refer to a schema' }
    },
  }

  /** Registers `"$id": "#name"`; any other `$id` makes the schema the base of the schemas in it. */
  function nameAnchor({ tokens, base }: Place, schema: SchemaObject): SchemaObject {
    const id = own(schema, '$id')
    if (typeof id !== 'string' || referenceOf(schema) !== null) return base
    if (!id.startsWith('#')) return schema
    const names = anchors.get(base) ?? new Map<string, Place>()
    anchors.set(base, names.set(id.slice(1), { schema, tokens, base }))
    return base
  }

  function placeAt(base: SchemaObject, tokens: readonly string[]): Place | null {
    let schema: unknown = base
    for (const token of tokens) {
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, token)) return null
      schema = (schema as Record<string, unknown>)[token]
    }
    const known = isSchemaObject(schema) ? visits.get(schema) : undefined
    return known ?? { schema, tokens: [...(visits.get(base)?.tokens ?? []), ...tokens], base }
  }

  reader.visit({ schema: root, tokens: [], base: root })
  return reader
}

/** A fragment is percent-encoded; null when it is not well-formed. */
function decodeFragment(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return null
  }
}
