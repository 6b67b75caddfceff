import { isRawNumber } from '#shared/json/exact.ts'

/**
 * The value of an expression is a JSON value. A number that does not fit a double is kept as its text (`JSON.rawJSON`, from `parseExact`):
 * it is copied and compared exactly, but cannot be calculated with. The prototypes of objects are ignored.
 */
export type Value = null | boolean | number | string | RawNumber | readonly Value[] | ValueObject
/** An interface, not a type: as a type it would be assignable to an object of texts. */
export interface RawNumber {
  rawJSON: string
}
export type ValueObject = { readonly [key: string]: Value }

export type Kind = 'null' | 'boolean' | 'number' | 'text' | 'list' | 'object'

export function kindOf(value: Value): Kind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return typeof value === 'number' || isRawNumber(value) ? 'number' : 'object'
}

/** The names of kinds in messages. */
export const kindNames: Readonly<Record<Kind, string>> = {
  null: 'null',
  boolean: 'true or false',
  number: 'a number',
  text: 'a text',
  list: 'a list',
  object: 'an object',
}

export function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value)
}

export function isValueObject(value: Value): value is ValueObject {
  return kindOf(value) === 'object'
}

/** Copies members of an object, by default all, to an object without prototype. */
export function copyOf(object: ValueObject, keys: readonly string[] = Object.keys(object)): Record<string, Value> {
  const copy: Record<string, Value> = Object.create(null)
  for (const key of keys) copy[key] = object[key] ?? null
  return copy
}

/** An object without prototype of these members. Of two members with the same key, the later one counts. */
export function objectOf(members: Iterable<readonly [string, Value]>): ValueObject {
  const object: Record<string, Value> = Object.create(null)
  for (const [key, value] of members) object[key] = value
  return object
}
