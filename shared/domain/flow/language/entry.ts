import type { FieldError } from '#shared/errors.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import type { FlowEntry } from './flow.ts'
import { flowPathKey } from './flow.ts'
import { endpointProperties } from './properties.ts'
import { readProperties } from './read-properties.ts'
import type { Place } from './read-value.ts'

/** Kinds of entries that are planned, but not supported yet. */
const laterEntries = ['event', 'schedule']

/** Reads the entry of a document. @param schemaErrors the errors of the schema of its input; absent: it is not checked */
export function readEntry(
  place: Place,
  value: unknown,
  schemaErrors?: (text: string, path: string) => readonly FieldError[],
): FlowEntry | null {
  if (!isObject(value)) return place.error('WRONG_TYPE', 'must be an object with type and path') ?? null
  const type = own(value, 'type')
  if (typeof type === 'string' && laterEntries.includes(type)) {
    const message = `is "${type}", but this version runs only flows of the type endpoint`
    return place.at('type').error('UNSUPPORTED_ENTRY', message) ?? null
  }
  const entry = readProperties(place, value, endpointProperties)
  if (!entry) return null
  const [first] = flowPathKey(entry.path).split('/')
  if (first === 'public')
    place.at('path').error('PATH', 'must not begin with public: /flows/public/ is where flows are called by id')
  if (entry.input !== null) addSchemaErrors(place.at('input'), schemaErrors?.(entry.input, '') ?? [])
  return entry
}

function addSchemaErrors(place: Place, errors: readonly FieldError[]): void {
  for (const { path, message } of errors) {
    // Keys may contain dots. An error at a missing value is reported at its parent.
    const at = path === '' ? place : path.split('.').reduce((inner, key) => inner.at(key), place)
    at.error('SCHEMA', message)
  }
}
