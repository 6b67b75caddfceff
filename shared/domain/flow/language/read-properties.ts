import { own } from '#shared/json/own.ts'
import type { Properties, ValuesOf } from './properties.ts'
import { type Place, readValue } from './read-value.ts'

/**
 * Reads the properties of an object by their table. Reports a diagnostic for each unknown, missing or invalid one.
 * @param others names without a row, which the caller reads
 * @returns null when there was one
 */
export function readProperties<P extends Properties>(
  place: Place,
  object: Record<string, unknown>,
  table: P,
  others: readonly string[] = [],
): ValuesOf<P> | null {
  place.unknownProperties(object, [...others, ...Object.keys(table)])
  const values = Object.entries(table).map(([name, property]) => {
    if (Object.hasOwn(object, name)) return [name, readValue(place.at(name), property, own(object, name))] as const
    if (property.required) return [name, place.at(name).error('REQUIRED', 'is required')] as const
    return [name, 'initial' in property ? property.initial : null] as const
  })
  return values.every(([, value]) => value !== undefined) ? (Object.fromEntries(values) as ValuesOf<P>) : null
}
