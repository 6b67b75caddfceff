import type { Value } from '#shared/domain/expression/value.ts'
import { initialValues } from '#shared/domain/fields/values.ts'
import { readFlow } from '#shared/domain/flow/language/document.ts'
import type { Flow } from '#shared/domain/flow/language/flow.ts'
import type { FlowAnswer, FlowAsk, FlowList, FlowResult, FlowRunRequest } from '#shared/domain/flow/run/driver.ts'
import { runFlow } from '#shared/domain/flow/run/run.ts'
import { firstIdAt } from '#shared/domain/id.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { parseExact } from '#shared/json/exact.ts'
import { type DocumentParts, documentText } from './documents.ts'

export const runTime = Date.UTC(2026, 2, 1, 10)

/** An id of version 7 with the time of the runs of tests. */
export const testId = (n: number) => `${firstIdAt(runTime)}-7000-8000-${n.toString(16).padStart(12, '0')}`

export function testItem(id: string, data: string, fields: Partial<Item> = {}): Item {
  const created = { id, accountId: 'account', listId: 'cards', createdAt: 1_000, updatedAt: 2_000 }
  return { ...initialValues(itemFields), ...created, data, size: data.length, revision: 3, identity: null, ...fields }
}

export const cards: FlowList = {
  list: { id: 'cards', accountId: 'account' },
  aliasIndex: { pointer: '/name' },
  guards: [],
}

/** The environment of a test's run: items by list and by id or alias, and the input. */
export type TestRun = {
  input?: string
  items?: Readonly<Record<string, Item>>
  lists?: ReadonlyMap<string, FlowList>
  /** Replaces the answer, if it returns one. */
  answer?: (ask: FlowAsk) => FlowAnswer | undefined
} & Partial<Pick<FlowRunRequest, 'identity' | 'token' | 'seed' | 'clock'>>

/** Runs a document, whose parts are as for `documentText`. @returns the result, and all reads of the run */
export function run(parts: DocumentParts, test: TestRun = {}): FlowResult & { asked: FlowAsk[] } {
  return runOf(flowOf(parts), test)
}

export function flowOf(parts: DocumentParts): Flow {
  const { flow, diagnostics } = readFlow(documentText(parts))
  if (!flow) throw new Error(JSON.stringify(diagnostics))
  return flow
}

export function runOf(flow: Flow, test: TestRun = {}): FlowResult & { asked: FlowAsk[] } {
  const asked: FlowAsk[] = []
  const steps = runFlow(requestOf(flow, test))
  for (let step = steps.next(); ; ) {
    if (step.done) return { ...step.value, asked }
    asked.push(step.value)
    step = steps.next(test.answer?.(step.value) ?? answerOf(step.value, test))
  }
}

function requestOf(
  flow: Flow,
  { input = 'null', lists = new Map([['cards', cards]]), ...rest }: TestRun,
): FlowRunRequest {
  let ids = 0
  return {
    flow,
    about: { id: 'f1', name: flow.name, runId: 'r1' },
    input: parseExact(input) as Value,
    identity: rest.identity ?? null,
    token: rest.token ?? null,
    now: runTime,
    seed: rest.seed ?? 'seed',
    lists,
    newId: () => testId(++ids),
    ...(rest.clock && { clock: rest.clock }),
  }
}

function answerOf(ask: FlowAsk, { items = {} }: TestRun): FlowAnswer {
  if (ask.ask === 'item') return { item: items[ask.ref] ?? null }
  if (ask.ask === 'items') return { items: [...new Set(Object.values(items))].slice(0, ask.limit) }
  if (ask.ask === 'identity') return { identity: ask.id === 'ada' ? { id: 'ada', displayName: 'Ada' } : null }
  return {}
}

/** The outcome in one line: the status and the body, or the code, the node and the message. */
export function outcomeText({ outcome }: FlowResult): string {
  if (outcome.kind === 'answered') return `${outcome.status} ${outcome.body}`
  const { code, status, node, path, line, column, index, message } = outcome
  const place = path === undefined ? '' : ` ${path}:${line}:${column}`
  return `${status} ${code} ${node}${place}${index === undefined ? '' : ` [${index}]`}: ${message}`
}
