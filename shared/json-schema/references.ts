import draft07 from 'ajv/dist/refs/json-schema-draft-07.json' with { type: 'json' }
import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { referenceOf, type SchemaObject, subschemas } from './ast.ts'
import { type Base, createSchemaNames, type Place, splitReference, type Visit } from './schema-names.ts'

/** The base of an `$id` without an enclosing absolute one (RFC 3986, section 5.1.4). */
const defaultUri = 'json-schema:///schema'

/** The address of draft-07's own schema, without its empty fragment. */
export const metaUri = 'http://json-schema.org/draft-07/schema'

/** Whether a reference leads to the schema of draft-07, by what it has before `#`. */
export function isMetaSchema(location: string): boolean {
  return location === metaUri || location === metaUri.replace('http:', 'https:')
}

/**
 * Visits a schema and resolves references in it. They stay in the document: each leads to the schema of an `$id` in it, or
 * to a place within such a schema, so nothing is ever fetched.
 */
export function referenceReader(root: SchemaObject) {
  const visits = new Map<SchemaObject, Visit>()
  const names = createSchemaNames()
  const reader = {
    /** The schemas visited so far, each once. */
    visits: visits as ReadonlyMap<SchemaObject, Visit>,
    /** The errors of the `$id`s of schemas visited so far. */
    errors: names.errors,
    visit(start: Place): void {
      const places = [start]
      // Iterating an array also visits elements that are added during the loop.
      for (const place of places) {
        const { schema, tokens } = place
        if (!isObject(schema) || visits.has(schema)) continue
        const base = names.add({ ...place, schema })
        visits.set(schema, { schema, tokens, base })
        for (const part of subschemas(schema)) places.push({ ...part, tokens: [...tokens, ...part.tokens], base })
      }
    },
    /** The target of the `$ref` of a visited schema, or why it does not resolve. */
    resolve({ schema, base }: Visit): Place | { error: string } {
      const { location, fragment } = splitReference(referenceOf(schema) ?? '')
      const resource = names.findResource(location, base) ?? (isMetaSchema(location) ? metaSchema() : undefined)
      if (!resource) return { error: 'must refer to an $id or a place in this schema: nothing else is fetched' }
      const tokens = fragment === null ? null : parsePointer(fragment)
      const found = tokens ? placeAt(resource, tokens) : names.findAnchor(resource, fragment ?? '')
      if (!found) return { error: 'does not resolve' }
      if (isObject(found.schema) || typeof found.schema === 'boolean') return found
      return { error: 'does not refer to a schema' }
    },
  }

  /** It is known without being fetched. What it holds is visited like every target. */
  function metaSchema(): Base {
    reader.visit({ schema: draft07, tokens: [metaUri], base: { schema: draft07, tokens: [metaUri], uri: metaUri } })
    return { schema: draft07, tokens: [metaUri], uri: metaUri }
  }

  function placeAt(base: Base, tokens: readonly string[]): Place | null {
    let place: Place = { ...base, base }
    for (const token of tokens) {
      const { schema } = place
      if (typeof schema !== 'object' || schema === null || !Object.hasOwn(schema, token)) return null
      const part = (schema as Record<string, unknown>)[token]
      const known = isObject(part) ? visits.get(part) : undefined
      place = known ?? { schema: part, tokens: [...place.tokens, token], base: place.base }
    }
    return place
  }

  reader.visit({ schema: root, tokens: [], base: { schema: root, tokens: [], uri: defaultUri } })
  return reader
}
