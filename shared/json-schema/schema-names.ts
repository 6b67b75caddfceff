import { own } from '#shared/json/own.ts'
import { referenceOf, type SchemaError, type SchemaObject } from './ast.ts'

/** The nearest schema around a place with an `$id`, or the root, and its URI: what references there are relative to. */
export type Base = { schema: SchemaObject; uri: string; tokens: string[] }
/** A schema, its path from the root, and what it is relative to. */
export type Visit = { schema: SchemaObject; tokens: string[]; base: Base }
export type Place = { schema: unknown; tokens: string[]; base: Base }

/** Each `$id` is resolved and kept, so that a long one would be multiplied by those relative to it. */
const maxUriLength = 2_048

/** The names that schemas of one document give themselves with `$id`. */
export function createSchemaNames() {
  const errors: SchemaError[] = []
  const resources = new Map<string, Base>()
  const anchors = new Map<SchemaObject, Map<string, Place>>()

  function addResource({ schema, tokens, base }: Visit, location: string): Base {
    const uri = absoluteUri(location, base)
    const resource = { schema, tokens, uri: uri ?? base.uri }
    if (uri !== null) addOnce(resources, uri, resource)
    else errors.push({ tokens: [...tokens, '$id'], message: `must be a URI of at most ${maxUriLength} characters` })
    return resource
  }

  function addAnchor(place: Place, name: string): void {
    const names = anchors.get(place.base.schema) ?? new Map<string, Place>()
    anchors.set(place.base.schema, names)
    addOnce(names, name, place)
  }

  function addOnce<T extends { tokens: string[] }>(known: Map<string, T>, name: string, named: T): void {
    const first = known.get(name)
    if (first === undefined) {
      known.set(name, named)
      return
    }
    const message = `must be unique: ${first.tokens.join('.') || 'the whole schema'} has the same`
    errors.push({ tokens: [...named.tokens, '$id'], message })
  }

  return {
    errors: errors as readonly SchemaError[],
    /** Adds the `$id` of a schema: `#name` names it in its base, any other makes it the base of the schemas in it. */
    add(visit: Visit): Base {
      const { schema, tokens, base } = visit
      const id = own(schema, '$id')
      // Next to a reference it is ignored, as everything else.
      if (typeof id !== 'string' || referenceOf(schema) !== null) return base
      const { location, fragment } = splitReference(id)
      const inner = location === '' ? base : addResource(visit, location)
      // A pointer is not a name: some editors write the place of a schema as its `$id`.
      if (fragment && !fragment.startsWith('/')) addAnchor({ schema, tokens, base: inner }, fragment)
      return inner
    },
    /** What a reference is relative to, by all of it before `#`; undefined when it leaves the document. */
    findResource(location: string, base: Base): Base | undefined {
      return location === '' ? base : resources.get(absoluteUri(location, base) ?? '')
    },
    findAnchor(base: Base, name: string): Place | undefined {
      return anchors.get(base.schema)?.get(name)
    },
  }
}

/** A reference in two: what comes before the first `#`, and after it a fragment, decoded; null when it is malformed. */
export function splitReference(reference: string): { location: string; fragment: string | null } {
  const [location = ''] = reference.split('#', 1)
  return { location, fragment: decodeFragment(reference.slice(location.length + 1)) }
}

function decodeFragment(fragment: string): string | null {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return null
  }
}

function absoluteUri(location: string, base: Base): string | null {
  if (location.length > maxUriLength) return null
  const uri = URL.parse(location, base.uri)?.href ?? ''
  return uri !== '' && uri.length <= maxUriLength ? uri : null
}
