import { isObject } from '#shared/json/is-object.ts'
import { referenceOf, type SchemaObject } from '#shared/json-schema/ast.ts'
import { referenceReader } from '#shared/json-schema/references.ts'

/** A schema whose references can be followed. */
export type SchemaReader = {
  root: SchemaObject
  /** Follows `$ref` to a schema without one. Returns `{}` for `true` and for a reference that does not resolve, null for `false`. */
  read(schema: unknown): SchemaObject | null
}

/** Longest chain of references; a longer one is a cycle. */
const mostHops = 32

/** @param root a schema that passes `checkSchema` */
export function schemaReader(root: SchemaObject): SchemaReader {
  const references = referenceReader(root)
  const targetOf = (schema: SchemaObject): unknown => {
    const visit = references.visits.get(schema)
    const found = visit && references.resolve(visit)
    if (!found || 'error' in found) return true
    references.visit(found)
    return found.schema
  }
  return {
    root,
    read(schema) {
      let found = schema
      for (let hops = 0; hops < mostHops; hops++) {
        if (found === false) return null
        if (!isObject(found)) return {}
        if (referenceOf(found) === null) return found
        found = targetOf(found)
      }
      return {}
    },
  }
}
