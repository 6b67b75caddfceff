import { isObject } from '#shared/json/is-object.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { keywordWarnings } from '#shared/json-schema/dialect.ts'
import { effectWarnings, withoutEffect } from '../without-effect.ts'
import type { ListBody } from './fields.ts'
import type { IndexBody } from './index-fields.ts'

// Warnings about settings that are allowed but probably not intended. A change gets warnings only about the fields that it sets, so that
// they are not repeated for unchanged ones.

/** The warnings about the fields that a change of a list sets. @param set its schema as source text */
export function listWarnings(set: ListBody): string[] {
  return [...effectWarnings(withoutEffect.list, set), ...schemaWarnings(set.schema)]
}

function schemaWarnings(text: unknown): string[] {
  const schema: unknown = typeof text === 'string' ? JSON.parse(text) : null
  return isObject(schema) ? keywordWarnings(schema) : []
}

/** The warnings about the fields that a change of an index sets. */
export function indexWarnings(set: IndexBody): string[] {
  const ofPointer = pointerWarning(set.pointer ?? '')
  return [...(ofPointer === null ? [] : [ofPointer]), ...effectWarnings(withoutEffect.index, set)]
}

/**
 * The warning about a suspicious but valid JSON Pointer; null: none. By RFC 6901 each token is the name of a property or a position in an
 * array, so a pointer in another notation is valid, but finds nothing.
 */
export function pointerWarning(pointer: string): string | null {
  for (const token of parsePointer(pointer) ?? []) {
    const why = otherNotations.find(([form]) => form.test(token))?.[1]
    if (why) return `In the pointer ${JSON.stringify(token)} is the name of a property: ${why}.`
  }
  return null
}

/** Tokens that are rarely names of properties, and why their probable meaning does not work. */
const otherNotations: readonly [form: RegExp, why: string][] = [
  [/^\*+$/, 'a JSON Pointer has no wildcards'],
  [/^-\d*$/, 'elements of an array are counted from 0, from its beginning'],
  [/\[.*\]$/, 'a position in an array is a token of its own, as in /tags/0'],
  [/^[$@#]$|^[$@][.[]/, 'a JSON Pointer begins with the first property, as in /author/name'],
  [/^\.\.?$/, 'a JSON Pointer has no relative steps'],
  [/^$/, 'a slash precedes each token, and none follows the last, as in /author/name'],
  [/^\s|\s$/, 'white space is part of it'],
]
