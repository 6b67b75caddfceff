import type { TestList } from '#shared/domain/flow/tests/items-in-memory.ts'
import { type FlowTestResult, runFlowTests, type TestWorld } from '#shared/domain/flow/tests/tests.ts'
import { readFlowTests } from '#shared/domain/flow/tests/tests-document.ts'
import type { IndexBody } from '#shared/domain/list/index-fields.ts'
import { newIndex } from '#shared/domain/list/index-settings.ts'
import { resultOf } from '#shared/json/text/result-of.ts'
import { compileSchema } from '#shared/json-schema/json-schema.ts'
import type { DocumentParts } from './documents.ts'
import { flowOf } from './driving.ts'

/** A list of tests: its indexes, and the rest of it that a test needs. */
export function testList(bodies: readonly IndexBody[] = [], list: Partial<TestList> = {}): TestList {
  const own = { accountId: 'account', listId: 'cards', at: 0 }
  const indexes = bodies.map((body, n) => newIndex(body, { ...own, id: `index${n}` }))
  const aliasIndex = indexes.find(({ alias }) => alias) ?? null
  const guards = indexes.filter(({ guard }) => guard).map(({ pointer }) => pointer)
  return {
    list: { id: 'cards', accountId: 'account', readonly: false },
    indexes,
    aliasIndex,
    guards,
    schemaErrors: null,
    ...list,
  }
}

/** Runs tests, given as their parsed text, against a document. */
export function runTests(
  parts: DocumentParts,
  tests: Record<string, unknown>,
  {
    lists = new Map([['cards', testList()]]),
    stepsOf = null,
    ...world
  }: Partial<TestWorld> & { stepsOf?: string | null } = {},
): FlowTestResult[] {
  const flow = flowOf(parts)
  const { tests: read, diagnostics } = readFlowTests(JSON.stringify(tests), flow.lists)
  if (!read) throw new Error(JSON.stringify(diagnostics))
  const { input } = flow.entry
  const inputErrors = input === null ? null : compileSchema(input)
  return resultOf(runFlowTests(flow, read, { lists, inputErrors, maxItemBytes: 1_000, ...world }, stepsOf))
}

/** The result of one test: null when it passed, or its message. */
export function messageOf(
  parts: DocumentParts,
  test: Record<string, unknown>,
  { shared = {}, world = {} }: { shared?: Record<string, unknown>; world?: Partial<TestWorld> } = {},
): string | null {
  const [result] = runTests(parts, { ...shared, tests: [{ name: 'it', ...test }] }, world)
  return result?.message ?? null
}
