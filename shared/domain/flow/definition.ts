import { resultOf } from '#shared/json/text/result-of.ts'
import { checkSchema, compileSchema } from '#shared/json-schema/json-schema.ts'
import type { ListIndex } from '../list/index-fields.ts'
import { guardPointers } from '../list/index-settings.ts'
import type { Use } from '../use/use.ts'
import { fieldsOfDocument } from './fields.ts'
import type { Diagnostic } from './language/diagnostics.ts'
import { readFlow } from './language/document.ts'
import type { Flow } from './language/flow.ts'
import { addUnservedNames } from './page-names.ts'
import type { TestList } from './tests/items-in-memory.ts'
import { type FlowTestResult, runFlowTests } from './tests/tests.ts'
import { type FlowTests, readFlowTests } from './tests/tests-document.ts'
import { usesOf } from './uses.ts'

/** The source texts of a document and its tests; `tests` null: none. */
export type FlowTexts = { document: string; tests: string | null }

/** The context of a flow: the names that it may use, and the lists for its tests. */
export type FlowSurroundings = {
  /** Null: unknown. Then names are not checked, and the lists of tests have no schema or indexes. */
  lists: readonly KnownList[] | null
  /** Keys of further lists that may exist. */
  unchecked?: readonly string[]
  /** Ids; `unseen`: the caller may not see webhooks; null: unknown. */
  webhooks: readonly string[] | 'unseen' | null
  maxItemBytes: number
}

/** A list that a document may name, with its key (`pathNameKey`). `schema` is source text. */
export type KnownList = {
  key: string
  list: TestList['list']
  schema: string | null
  indexes: readonly ListIndex[]
}

/** `source`: the text that contains the error. */
export type DefinitionDiagnostic = Diagnostic & { source: 'document' | 'tests' }

/** `kept`: the values that are stored with the document; null if it has an error. */
export type FlowChecked = {
  diagnostics: DefinitionDiagnostic[]
  kept: { fields: ReturnType<typeof fieldsOfDocument>; uses: readonly Use[] } | null
  tests: FlowTestResult[]
}

/**
 * Checks a document and its tests, and runs the tests if neither has an error. May take a second.
 * @param stepsOf the name of a test whose steps are returned
 */
export function checkDefinition(
  texts: FlowTexts,
  around: FlowSurroundings,
  stepsOf: string | null = null,
): FlowChecked {
  const { flow, tests, diagnostics } = readDefinition(texts, around)
  const results = flow && tests ? runTests(flow, tests, { ...around, stepsOf }) : []
  const kept = flow && { fields: fieldsOfDocument(flow), uses: usesOf(flow) }
  return { diagnostics, kept, tests: results }
}

/** A document and its tests, each null if it has an error. `tests` is also null if the document has an error or there are no tests. */
export type DefinitionRead = { flow: Flow | null; tests: FlowTests | null; diagnostics: DefinitionDiagnostic[] }

/** Reads and checks a document and its tests, without running them. */
export function readDefinition(
  { document, tests: text }: FlowTexts,
  { lists, unchecked = [], webhooks }: FlowSurroundings,
): DefinitionRead {
  const { flow, diagnostics: found } = readFlow(document, {
    schemaErrors: checkSchema,
    ...(lists && {
      lists: new Set([...lists.map(({ key }) => key), ...unchecked]),
      addUnserved: (nodes) => addUnservedNames(nodes, new Map(lists.map(({ key, indexes }) => [key, indexes]))),
    }),
    ...(webhooks && { webhooks: webhooks === 'unseen' ? webhooks : new Set(webhooks) }),
  })
  const diagnostics = found.map((one) => ({ ...one, source: 'document' as const }))
  if (!flow || text === null) return { flow, tests: null, diagnostics }
  const { tests, diagnostics: foundInTests } = readFlowTests(text, flow.lists)
  return { flow, tests, diagnostics: [...diagnostics, ...foundInTests.map(inTests)] }
}

function inTests(found: Diagnostic): DefinitionDiagnostic {
  return { ...found, source: 'tests' }
}

function runTests(
  flow: Flow,
  tests: FlowTests,
  { lists, maxItemBytes, stepsOf }: FlowSurroundings & { stepsOf: string | null },
): FlowTestResult[] {
  const inputErrors = flow.entry.input === null ? null : compileSchema(flow.entry.input)
  const known = lists ?? flow.lists.map(unknownList)
  const world = { lists: new Map(known.map((list) => [list.key, testList(list)])), inputErrors, maxItemBytes }
  return resultOf(runFlowTests(flow, tests, world, stepsOf))
}

function unknownList(key: string): KnownList {
  return { key, list: { id: key, accountId: '', readonly: false }, schema: null, indexes: [] }
}

function testList({ list, schema, indexes }: KnownList): TestList {
  return {
    list,
    indexes,
    aliasIndex: indexes.find(({ alias, activated }) => alias && activated) ?? null,
    guards: guardPointers(indexes),
    schemaErrors: schema === null ? null : compileSchema(schema),
  }
}
