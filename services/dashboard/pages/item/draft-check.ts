import type { FieldError, ListdError } from '#client/src/error.ts'
import { placesOf } from '#shared/json/text/place.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'

/** An error at a place of a draft; `from` and `to` are character offsets in its text. */
export type Finding = { pointer: string; message: string; from: number; to: number }

/** Levels of nested objects and arrays that an item may have. */
const maxDepth = 200
/** Further errors are neither counted nor shown: this many usually have one cause. */
const mostFindings = 100

/** The first syntax error of a text; null: it is valid JSON. */
export function syntaxFinding(text: string): Finding | null {
  const error = findSyntaxError(text, maxDepth)
  if (!error) return null
  const line = text.slice(0, error.offset).split('\n').length
  return { pointer: `line ${line}`, message: error.why, from: error.offset, to: error.offset + 1 }
}

/** The errors that the server reported, at their places in the text. @param text valid JSON, as it is edited */
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

/** The text of a finding. */
export function messageOfFinding({ pointer, message }: Finding): string {
  if (pointer.startsWith('line ')) return `${message} (${pointer})`
  return `${pointer || 'the data'} ${message}`
}
