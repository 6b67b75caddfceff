import { RawJson } from '#client/src/json.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { elementsOf, membersOf } from '#shared/json/text/parts.ts'

/** The two texts of a flow: its document and its tests. The latter is empty for a flow without tests. */
export type FlowTexts = { document: string; tests: string }

/** Reads the texts from an answer about a flow or one of its versions, and formats them without loss. @param answer JSON text */
export function textsOf(answer: string): FlowTexts {
  const members = membersOf(answer)
  const text = (name: string) => members.get(name)?.value ?? 'null'
  const tests = text('tests')
  return { document: layOut(text('document')), tests: tests === 'null' ? '' : layOut(tests) }
}

/** Whether two flows are equal, apart from the formatting of their texts. */
export function isSameFlow(one: FlowTexts, other: FlowTexts): boolean {
  return compact(one.document) === compact(other.document) && compact(one.tests) === compact(other.tests)
}

/** The request body, as text so that nothing is lost. @throws SyntaxError if one of them is not JSON */
export function sentTexts({ document, tests }: FlowTexts): { document: RawJson; tests: RawJson | null } {
  return { document: new RawJson(document), tests: tests.trim() === '' ? null : new RawJson(tests) }
}

/** The formatted input of the first test that has one: a first value for the Try tab. @param tests the text of tests; empty: none */
export function firstInput(tests: string): string {
  const list = tests.trim() === '' ? [] : elementsOf(findAt(compact(tests), '/tests') ?? '[]')
  const inputs = list.flatMap((test) => membersOf(test).get('input')?.value ?? [])
  return layOut(inputs[0] ?? '{}')
}
