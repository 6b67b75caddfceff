import type { FlowTexts } from '#services/dashboard/api/flow-texts.ts'
import type { Diagnostic } from '#shared/domain/flow/language/diagnostics.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import { namedBy } from '#shared/domain/flow/language/named.ts'
import { readFlowTests } from '#shared/domain/flow/tests/tests-document.ts'

/** Checks the texts of a flow without the account: lists, webhooks and schemas are not looked up. */
export function checkTexts({ document, tests }: FlowTexts): Record<keyof FlowTexts, Diagnostic[]> {
  const { flow, diagnostics } = readFlow(document)
  const lists = flow?.lists ?? listsNamedIn(document)
  // Tests can only be checked if the lists of the document are known.
  if (tests.trim() === '' || lists === null) return { document: diagnostics, tests: [] }
  return { document: diagnostics, tests: readFlowTests(tests, lists).diagnostics }
}

function listsNamedIn(document: string): readonly string[] | null {
  try {
    return namedBy(JSON.parse(document)).lists
  } catch {
    return null
  }
}
