import type { FlowDiagnostic } from '#client/src/types/flow-resources.ts'
import { placeOf } from '#shared/domain/text/place.ts'
import { offsetBeforeCompact } from '#shared/json/text/layout.ts'
import { placesOf } from '#shared/json/text/place.ts'

/** A finding in a text, with the marked part, and its line and column, counted from 1. */
export type Finding = {
  from: number
  to: number
  line: number
  column: number
  message: string
  severity: 'error' | 'warning'
}

type Diagnostic = Pick<FlowDiagnostic, 'severity' | 'message' | 'path' | 'line' | 'column'>

/** The findings of a check of exactly this text. */
export function findingsIn(text: string, diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics.map((one) => findingAt(text, offsetOf(text, one), one))
}

/** The findings of the service, which receives the text without white space between values. */
export function findingsInCompact(text: string, diagnostics: readonly Diagnostic[]): Finding[] {
  return diagnostics.map((one) => findingAt(text, offsetBeforeCompact(text, one.column - 1), one))
}

/** An error of the value at a pointer. @param text valid JSON */
export function findingAtPointer(text: string, pointer: string, message: string): Finding {
  const from = placesOf(text, [pointer]).get(pointer)?.from ?? 0
  return findingAt(text, from, { severity: 'error', message, path: '' })
}

function findingAt(
  text: string,
  from: number,
  { severity, message, path }: Omit<Diagnostic, 'line' | 'column'>,
): Finding {
  const reported = path === '' ? message : `${path} ${message}`
  return { from, to: endOfWord(text, from), ...placeOf(text, from), message: reported, severity }
}

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  let from = 0
  for (let n = 1; n < line; n++) from = text.indexOf('\n', from) + 1
  return Math.min(from + column - 1, text.length)
}

/** The end of the marked part: of a whole string, or of the name that begins there; otherwise one character. */
function endOfWord(text: string, from: number): number {
  const word = /^(?:"(?:[^"\\\n]|\\.)*"|[\w$]+|.)/.exec(text.slice(from, from + longestMark))
  return from + (word?.[0].length ?? 0)
}

const longestMark = 4_096
