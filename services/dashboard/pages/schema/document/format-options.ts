import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'

/** The options at a place of a format: keys with their descriptions, and values. */
export type FormatOptions = { keys: (readonly [name: string, about: string])[]; values: unknown[] }

/**
 * The options at a place of a JSON Schema, according to `properties`, `additionalProperties`, `enum` and flags.
 * @param steps the keys of the path to the place
 */
export function formatOptions(format: unknown, steps: readonly string[]): FormatOptions {
  let schema = format
  for (const step of steps) {
    schema = member(member(schema, 'properties'), step) ?? member(schema, 'additionalProperties')
  }
  const allowed = member(schema, 'enum')
  return {
    keys: Object.entries(objectOf(member(schema, 'properties'))).map(([name, property]) => [
      name,
      String(member(property, 'description') ?? ''),
    ]),
    values: Array.isArray(allowed) ? allowed : member(schema, 'type') === 'boolean' ? [true, false] : [],
  }
}

const objectOf = (value: unknown) => (isObject(value) ? value : {})
const member = (value: unknown, name: string) => own(objectOf(value), name)
