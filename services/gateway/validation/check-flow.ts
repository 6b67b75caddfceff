import type { Diagnostic } from '#shared/domain/flow/diagnostics.ts'
import { readFlow } from '#shared/domain/flow/document.ts'
import { fieldsOfDocument } from '#shared/domain/flow/fields.ts'
import type { Flow } from '#shared/domain/flow/flow.ts'
import type { TestList } from '#shared/domain/flow/items-in-memory.ts'
import { type FlowTestResult, runFlowTests } from '#shared/domain/flow/tests.ts'
import { readFlowTests } from '#shared/domain/flow/tests-document.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { guardPointers } from '#shared/domain/list/index-settings.ts'
import { checkSchema, compileSchema } from '#shared/json-schema/json-schema.ts'

/** Checks a flow document and runs its tests. `webhooks`: null: not known. `unchecked`: keys of lists that were not looked up. */
export type FlowTask = {
  kind: 'flow'
  document: string
  tests: string | null
  lists: readonly { key: string; list: TestList['list']; schema: string | null; indexes: readonly ListIndex[] }[]
  unchecked: readonly string[]
  webhooks: readonly string[] | null
  maxItemBytes: number
}

/** `fields`: null where the document has an error. `source`: the text that a finding is in. */
export type FlowChecked = {
  diagnostics: (Diagnostic & { source: 'document' | 'tests' })[]
  fields: ReturnType<typeof fieldsOfDocument> | null
  tests: FlowTestResult[]
}

/** What a document and its tests come to. It may take a second, so it runs in the validation thread. */
export function checkFlow(task: FlowTask): FlowChecked {
  const { document, lists, unchecked, webhooks } = task
  const { flow, diagnostics: found } = readFlow(document, {
    schemaErrors: checkSchema,
    lists: new Set([...lists.map(({ key }) => key), ...unchecked]),
    ...(webhooks && { webhooks: new Set(webhooks) }),
  })
  const diagnostics = found.map((one) => ({ ...one, source: 'document' as const }))
  if (!flow) return { diagnostics, fields: null, tests: [] }
  const tested = task.tests === null ? { diagnostics: [], tests: [] } : runTests(flow, task.tests, task)
  return { ...tested, diagnostics: [...diagnostics, ...tested.diagnostics], fields: fieldsOfDocument(flow) }
}

function runTests(flow: Flow, text: string, { lists, maxItemBytes }: FlowTask): Omit<FlowChecked, 'fields'> {
  const { tests, diagnostics: found } = readFlowTests(text, flow.lists)
  const diagnostics = found.map((one) => ({ ...one, source: 'tests' as const }))
  if (!tests) return { diagnostics, tests: [] }
  const inputErrors = flow.entry.input === null ? null : compileSchema(flow.entry.input)
  const world = { lists: new Map(lists.map((list) => [list.key, testList(list)])), inputErrors, maxItemBytes }
  const running = runFlowTests(flow, tests, world)
  for (let step = running.next(); ; step = running.next()) if (step.done) return { diagnostics, tests: step.value }
}

function testList({ list, schema, indexes }: FlowTask['lists'][number]): TestList {
  return {
    list,
    indexes,
    aliasIndex: indexes.find(({ alias, activated }) => alias && activated) ?? null,
    guards: guardPointers(indexes),
    schemaErrors: schema === null ? null : compileSchema(schema),
  }
}
