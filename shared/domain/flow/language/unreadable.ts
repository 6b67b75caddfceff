import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { flowDocumentLimits, maxJsonDepth } from '../../limits.ts'
import { placeOf } from '../../text/place.ts'
import { utf8Length } from '../../text/utf8-length.ts'
import type { Diagnostic } from './diagnostics.ts'

/** What keeps a text, be it of a document or of its tests, from being read at all: its length, or that it is no JSON. */
export function unreadableIn(text: string): Diagnostic | null {
  const finding = { severity: 'error', path: '' } as const
  if (text.length > flowDocumentLimits.maxBytes || utf8Length(text) > flowDocumentLimits.maxBytes) {
    const message = `must be at most ${flowDocumentLimits.maxBytes / 1024} KiB long`
    return { ...finding, code: 'TOO_LARGE', message, line: 1, column: 1 }
  }
  const error = findSyntaxError(text, maxJsonDepth)
  return error && { ...finding, code: 'JSON', message: `is no JSON: ${error.why}`, ...placeOf(text, error.offset) }
}
