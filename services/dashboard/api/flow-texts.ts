import { RawJson } from '#client/src/json.ts'
import { findAt } from '#shared/json/edit/at-pointer.ts'
import { compact, layOut } from '#shared/json/text/layout.ts'
import { elementsOf, membersOf } from '#shared/json/text/parts.ts'

/** The two texts of a flow: its document, and its tests, which are empty where it has none. */
export type FlowTexts = { document: string; tests: string }

/** The texts in an answer about a flow or one of its versions, laid out; nothing of them is lost. @param answer JSON text */
export function textsOf(answer: string): FlowTexts {
  const members = membersOf(answer)
  const text = (name: string) => members.get(name)?.value ?? 'null'
  const tests = text('tests')
  return { document: layOut(text('document')), tests: tests === 'null' ? '' : layOut(tests) }
}

/** Whether two flows say the same but for the layout of their texts. */
export function isSameFlow(one: FlowTexts, other: FlowTexts): boolean {
  return compact(one.document) === compact(other.document) && compact(one.tests) === compact(other.tests)
}

/** As they are sent: as text, of which nothing is lost. @throws SyntaxError where one of them is no JSON */
export function sentTexts({ document, tests }: FlowTexts): { document: RawJson; tests: RawJson | null } {
  return { document: new RawJson(document), tests: tests.trim() === '' ? null : new RawJson(tests) }
}

/** The input of the first test that has one, laid out: what somebody tries first. @param tests the text of tests; empty: none */
export function firstInput(tests: string): string {
  const list = tests.trim() === '' ? [] : elementsOf(findAt(compact(tests), '/tests') ?? '[]')
  const inputs = list.flatMap((test) => membersOf(test).get('input')?.value ?? [])
  return layOut(inputs[0] ?? '{}')
}
