import { isRawNumber } from '#shared/json/exact.ts'

/**
 * A value of an expression is one of JSON. A number that no double holds is its text (`JSON.rawJSON`, as `parseExact` gives it): it
 * is copied and compared exactly, and nothing is calculated with it. Objects have no prototype, or it is not looked at.
 */
export type Value = null | boolean | number | string | RawNumber | readonly Value[] | ValueObject
/** An interface: a value that is not one would count as an object of texts. */
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

/** A kind as sentences name it. */
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

/** An object without prototype of members of another one, by default of all. */
export function copyOf(object: ValueObject, keys: readonly string[] = Object.keys(object)): Record<string, Value> {
  const copy: Record<string, Value> = Object.create(null)
  for (const key of keys) copy[key] = object[key] ?? null
  return copy
}

/** An object without prototype of these members, the later one of two with the same key. */
export function objectOf(members: Iterable<readonly [string, Value]>): ValueObject {
  const object: Record<string, Value> = Object.create(null)
  for (const [key, value] of members) object[key] = value
  return object
}
