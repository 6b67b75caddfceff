import type { FieldError, ListdError } from '#client/src/error.ts'
import { placesOf } from '#shared/json/text/place.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'

/** What is wrong with a part of a draft; `from` and `to` are character offsets of its text. */
export type Finding = { pointer: string; message: string; from: number; to: number }

/** Levels of nested objects and arrays that an item may have. */
const maxDepth = 200
/** More are neither counted nor shown: whoever has so many looks for one cause. */
const mostFindings = 100

/** The first place at which a text is no JSON; null: it is JSON. */
export function syntaxFinding(text: string): Finding | null {
  const error = findSyntaxError(text, maxDepth)
  if (!error) return null
  const line = text.slice(0, error.offset).split('\n').length
  return { pointer: `line ${line}`, message: error.why, from: error.offset, to: error.offset + 1 }
}

/** What the list's schema does not allow, where it stands. @param text valid JSON, as it is edited */
export function schemaFindings(text: string, error: Pick<ListdError, 'details'>): Finding[] {
  const errors = (error.details?.errors ?? []).slice(0, mostFindings)
  const pointerOf = ({ pointer, path }: FieldError) => pointer ?? (path === 'data' ? '' : null)
  const places = placesOf(text, [...new Set(errors.map((one) => pointerOf(one) ?? ''))])
  return errors.map((one) => {
    const pointer = pointerOf(one) ?? ''
    const { from, to } = places.get(pointer) ?? { from: 0, to: 1 }
    return { pointer, message: one.message, from, to }
  })
}

/** A finding as it stands below its line. */
export function messageOfFinding({ pointer, message }: Finding): string {
  if (pointer.startsWith('line ')) return `${message} (${pointer})`
  return `${pointer || 'the data'} ${message}`
}
