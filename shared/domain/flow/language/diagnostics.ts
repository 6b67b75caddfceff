import { errorPath } from '#shared/errors.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { offsetInLiteral } from '#shared/json/text/literal.ts'
import { placesOf } from '#shared/json/text/place.ts'
import { findSyntaxError } from '#shared/json/text/syntax-error.ts'
import { flowDocumentLimits, maxJsonDepth } from '../../limits.ts'
import { maxHints } from '../../text/nearest.ts'
import { placeOf } from '../../text/place.ts'
import { utf8Length } from '../../text/utf8-length.ts'

/** The kinds of findings in a flow document. */
export type DiagnosticCode =
  | 'TOO_LARGE'
  | 'JSON'
  | 'WRONG_TYPE'
  | 'REQUIRED'
  | 'INVALID'
  | 'UNKNOWN_PROPERTY'
  | 'UNKNOWN_TYPE'
  | 'UNSUPPORTED_ENTRY'
  | 'PATH'
  | 'SCHEMA'
  | 'HEADER'
  | 'EXPRESSION'
  | 'UNKNOWN_STEP'
  | 'DUPLICATE_ID'
  | 'UNKNOWN_NODE'
  | 'UNKNOWN_PORT'
  | 'DUPLICATE_PORT'
  | 'CYCLE'
  | 'UNREACHABLE'
  | 'DEAD_END'
  | 'UNKNOWN_LIST'
  | 'UNKNOWN_INDEX'
  | 'INDEX_NOT_USABLE'
  | 'FILTER'
  | 'UNKNOWN_WEBHOOK'
  | 'UNSEEN_WEBHOOKS'

/**
 * One finding in a document. A document with an error is not saved; a warning reports something that the author probably did not intend.
 * `message` continues from `path`, which is dotted, such as `nodes.0.when`. Line and column count from 1, in UTF-16 units.
 */
export type Diagnostic = {
  severity: 'error' | 'warning'
  code: DiagnosticCode
  message: string
  /** The id of the node that contains it. */
  node?: string
  path: string
  line: number
  column: number
}

type Finding = {
  pointer: string
  code: DiagnosticCode
  message: string
  node?: string | undefined
  severity?: Diagnostic['severity']
  /** Within a string: the offset in its value. */
  at?: number
}

/** Collects the diagnostics of one document, up to a maximum number. */
export class Diagnostics {
  readonly #found: Finding[] = []
  #hasErrors = false

  add(finding: Finding): void {
    if (finding.severity !== 'warning') this.#hasErrors = true
    if (!this.isFull) this.#found.push(finding)
  }

  get isFull(): boolean {
    return this.#found.length >= flowDocumentLimits.maxDiagnostics
  }

  /** Whether messages may still suggest a name, which costs time. */
  get mayHint(): boolean {
    return this.#found.length < maxHints
  }

  get hasErrors(): boolean {
    return this.#hasErrors
  }

  /** @param text the document, valid JSON. @returns the diagnostics in the order of the text */
  inOrder(text: string): Diagnostic[] {
    const places = placesOf(text, [...new Set(this.#found.map(({ pointer }) => pointer))])
    return this.#found
      .map((finding) => {
        const { from, to } = places.get(finding.pointer) ?? { from: 0, to: 1 }
        return {
          finding,
          offset: finding.at === undefined ? from : from + offsetInLiteral(text.slice(from, to), finding.at),
        }
      })
      .sort((one, other) => one.offset - other.offset)
      .map(({ finding, offset }) => diagnostic(finding, placeOf(text, offset)))
  }
}

function diagnostic({ severity = 'error', code, message, node, pointer }: Finding, place: PlaceInText): Diagnostic {
  const path = errorPath('', ...(parsePointer(pointer) ?? []))
  return { severity, code, message, ...(node !== undefined && { node }), path, ...place }
}

type PlaceInText = { line: number; column: number }

/** Why a text (a document or its tests) cannot be parsed: it is too long, or not JSON. */
export function unreadableIn(text: string): Diagnostic | null {
  const finding = { severity: 'error', path: '' } as const
  if (text.length > flowDocumentLimits.maxBytes || utf8Length(text) > flowDocumentLimits.maxBytes) {
    const message = `must be at most ${flowDocumentLimits.maxBytes / 1024} KiB long`
    return { ...finding, code: 'TOO_LARGE', message, line: 1, column: 1 }
  }
  const error = findSyntaxError(text, maxJsonDepth)
  return (
    error && { ...finding, code: 'JSON', message: `is not valid JSON: ${error.why}`, ...placeOf(text, error.offset) }
  )
}
