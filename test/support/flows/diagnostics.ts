import type { ExecutionContext } from 'ava'
import type { Diagnostic } from '#shared/domain/flow/language/diagnostics.ts'
import { type KnownToFlows, readFlow } from '#shared/domain/flow/language/document.ts'
import { type DocumentParts, documentText } from './documents.ts'

/** A diagnostic in one line. */
export const lineOf = ({ severity, code, path, message }: Diagnostic): string =>
  `${severity === 'warning' ? '(warning) ' : ''}${code} ${path}: ${message}`

export function diagnosticsOf(parts: DocumentParts, known?: KnownToFlows): string[] {
  return readFlow(documentText(parts), known).diagnostics.map(lineOf)
}

/** Asserts the diagnostics of a document, by the beginning of each, and that it is a flow if none is an error. */
export function assertDiagnostics(t: ExecutionContext, parts: DocumentParts, expected: readonly string[]): void {
  const { flow, diagnostics } = readFlow(documentText(parts))
  const found = diagnostics.map(lineOf)
  t.is(found.length, expected.length, found.join('\n'))
  for (const [at, one] of expected.entries()) t.true(found[at]?.startsWith(one), found.join('\n'))
  t.is(
    flow === null,
    diagnostics.some(({ severity }) => severity === 'error'),
  )
}
