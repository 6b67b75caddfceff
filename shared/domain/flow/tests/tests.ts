import { parseExact } from '#shared/json/exact.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import type { DataError } from '#shared/json-schema/errors.ts'
import type { Value } from '../../expression/value.ts'
import { firstIdAt } from '../../id.ts'
import { flowTestLimits } from '../../limits.ts'
import { pathNameKey } from '../../path-name.ts'
import type { Flow } from '../language/flow.ts'
import type {
  FlowAnswer,
  FlowAsk,
  FlowEmit,
  FlowFailed,
  FlowOutcome,
  FlowRunRequest,
  FlowStep,
  FlowWrite,
} from '../run/driver.ts'
import { failureStatus } from '../run/failure.ts'
import { inputMessage } from '../run/input.ts'
import { reportOf } from '../run/report.ts'
import { runFlow } from '../run/run.ts'
import { ItemsInMemory, type TestList } from './items-in-memory.ts'
import { differenceFrom } from './matches-part.ts'
import type { Expectation, FlowTest, FlowTests } from './tests-document.ts'
import { writeInMemory } from './write-rules.ts'

/** The context of tests: the lists of the account that the flow names, and the check of its input. */
export type TestWorld = {
  /** By key (`pathNameKey`). */
  lists: ReadonlyMap<string, TestList>
  /** Returns all errors of an input by the schema of the entry; null: it has no schema. */
  inputErrors: ((input: unknown, text?: string) => readonly DataError[]) | null
  maxItemBytes: number
}

/**
 * The result of a test. `actual`: the answer of the run, if the test failed. For the test whose steps are requested: `stepsText`, the
 * members `steps` and `omittedSteps` of its report as JSON text, and `node`, at which its run failed.
 */
export type FlowTestResult = {
  name: string
  passed: boolean
  message?: string
  actual?: { status: number; body: unknown; error?: string }
  stepsText?: string
  node?: string
}

/**
 * Runs the tests of a flow in memory, each with its own items. Yields after each test, and when a run pauses.
 * @param stepsOf the name of a test whose steps are returned
 */
export function* runFlowTests(
  flow: Flow,
  { identities, items, tests }: FlowTests,
  world: TestWorld,
  stepsOf: string | null = null,
): Generator<undefined, FlowTestResult[]> {
  const results: FlowTestResult[] = []
  const work = { left: flowTestLimits.work }
  for (const test of tests) {
    const lists = new Map([...world.lists].map(([key, list]) => [key, new ItemsInMemory(list)]))
    for (const given of [items, test.items])
      for (const [key, some] of given) lists.get(key)?.give(some, test.now - dayMs)
    const ended = work.left < 0 ? tooMuch : yield* endOf({ flow, test, identities, lists, world, work })
    const result = resultOf(test, ended, lists)
    results.push(test.name === stepsOf ? { ...result, ...stepsIn(ended) } : result)
    yield
  }
  return results
}

const dayMs = 86_400_000

type TestRun = {
  flow: Flow
  test: FlowTest
  identities: FlowTests['identities']
  lists: ReadonlyMap<string, ItemsInMemory>
  world: TestWorld
  /** The budget of all tests together: work of runs in steps, and items scanned. */
  work: { left: number }
}

type Ended = {
  outcome: FlowOutcome | RejectedInput
  writes: readonly FlowWrite[]
  emits: readonly FlowEmit[]
  /** Absent: no node was visited. */
  steps?: readonly FlowStep[]
}
/** The failure of an input that its schema rejects; no node failed. */
type RejectedInput = Pick<FlowFailed, 'kind' | 'status' | 'message'>

const tooMuchWork = `the tests of a flow take at most ${flowTestLimits.work.toLocaleString('en-US')} steps together`
const tooMuch: Ended = {
  outcome: { kind: 'failed', status: failureStatus.LIMIT, message: tooMuchWork },
  writes: [],
  emits: [],
}

function* endOf(run: TestRun): Generator<undefined, Ended> {
  const { flow, test, world, lists, work } = run
  const input = JSON.stringify(test.input)
  const errors = world.inputErrors?.(JSON.parse(input), input) ?? []
  if (errors.length > 0)
    return { outcome: { kind: 'failed', status: 400, message: inputMessage(errors) }, writes: [], emits: [] }
  const steps = runFlow(requestOf(run))
  let step = steps.next()
  while (!step.done) {
    if (step.value.ask !== 'item') yield
    step = steps.next(answerOf(step.value, run))
  }
  const { outcome, writes, emits, work: taken } = step.value
  work.left -= taken + writes.reduce((sum, { list }) => sum + (lists.get(list)?.count ?? 0), 0)
  const broken = writeInMemory(writes, lists, { flow, maxItemBytes: world.maxItemBytes })
  const end = broken ? { outcome: broken, writes: [], emits: [] } : { outcome, writes, emits }
  return { ...end, steps: step.value.steps }
}

function requestOf({ flow, test, lists }: TestRun): FlowRunRequest {
  let created = 0
  return {
    flow,
    about: { id: testFlowId, name: flow.name, runId: testRunId },
    input: test.input as Value,
    identity: test.identity,
    token: null,
    now: test.now,
    seed: test.seed,
    lists: new Map([...lists].map(([key, { of }]) => [key, of])),
    newId: () => `${firstIdAt(test.now)}-7000-8000-${(++created).toString(16).padStart(12, '0')}`,
  }
}

const testFlowId = '00000000-0000-7000-8000-000000000001'
const testRunId = '00000000-0000-7000-8000-000000000002'

function answerOf(ask: FlowAsk, { lists, identities, work }: TestRun): FlowAnswer {
  if (ask.ask === 'pause') return {}
  if (ask.ask === 'identity') {
    const identity = identities.get(ask.id)
    return { identity: identity ? { id: identity.id, displayName: identity.displayName } : null }
  }
  const items = lists.get(ask.list)
  if (!items)
    return {
      rejected: { code: 'NOT_FOUND', status: failureStatus.NOT_FOUND, message: `there is no list "${ask.list}"` },
    }
  work.left -= items.count
  if (work.left < 0) return { rejected: { code: 'LIMIT', status: failureStatus.LIMIT, message: tooMuchWork } }
  if (ask.ask === 'item') return { item: items.find(ask.ref) }
  const page = items.page(ask)
  return 'code' in page ? { rejected: page } : { items: page }
}

function resultOf({ name, expect }: FlowTest, ended: Ended, lists: ReadonlyMap<string, ItemsInMemory>): FlowTestResult {
  const message = differenceOf(expect, ended, lists)
  if (message === null) return { name, passed: true }
  const { outcome } = ended
  const error = outcome.kind === 'failed' ? { error: failureText(outcome) } : {}
  return { name, passed: false, message, actual: { status: outcome.status, body: bodyOf(outcome), ...error } }
}

/** The steps of a run as in the second line of its report, and the node at which it failed. */
function stepsIn({ outcome, steps = [] }: Ended): Pick<FlowTestResult, 'stepsText' | 'node'> {
  const [, second = ''] = reportOf({ outcome: nothingToSay, writes: [], emits: [], steps }).split('\n')
  return { stepsText: second.slice(0, -1), ...('node' in outcome && outcome.node !== '' && { node: outcome.node }) }
}

const nothingToSay = { kind: 'answered', status: 204, headers: {}, body: null } as const

/** How a run differs from the expectation; null: it does not. */
function differenceOf(expect: Expectation, ended: Ended, lists: ReadonlyMap<string, ItemsInMemory>): string | null {
  const { outcome, writes, emits } = ended
  return (
    failureDifference(expect, outcome) ??
    (Object.hasOwn(expect, 'status') ? differenceFrom(expect.status, outcome.status, 'status') : null) ??
    (Object.hasOwn(expect, 'body') ? differenceFrom(expect.body, bodyOf(outcome), 'body') : null) ??
    itemsDifference(expect.items ?? {}, lists) ??
    (expect.writes ? differenceFrom(expect.writes.map(withKey), writes.map(shownWrite), 'writes') : null) ??
    (expect.emits ? differenceFrom(expect.emits, emits.map(shownEmit), 'emits') : null)
  )
}

/** A failed run meets the expectation if the test expects its status or error. */
function failureDifference({ error, status }: Expectation, outcome: Ended['outcome']): string | null {
  if (outcome.kind === 'answered')
    return error === undefined ? null : `it was expected to fail with "${error}", and answered ${outcome.status}`
  if (error !== undefined)
    return outcome.message.includes(error) ? null : `the error is "${outcome.message}", and should contain "${error}"`
  return status === outcome.status ? null : failureText(outcome)
}

function failureText(outcome: FlowFailed | RejectedInput): string {
  if (!('node' in outcome)) return `it failed with ${outcome.status}: ${outcome.message}`
  const { code, node, path, line, column, status, message } = outcome
  const place = path === undefined ? '' : `, ${path}, line ${line}, column ${column}`
  return `it failed with ${status} ${code} at the node "${node}"${place}: ${message}`
}

function bodyOf(outcome: Ended['outcome']): unknown {
  return outcome.kind === 'answered' && outcome.body !== null ? parseExact(outcome.body) : null
}

function itemsDifference(
  expected: Readonly<Record<string, unknown>>,
  lists: ReadonlyMap<string, ItemsInMemory>,
): string | null {
  for (const [list, entries] of Object.entries(expected)) {
    for (const [id, data] of Object.entries(entries as Record<string, unknown>)) {
      const item = lists.get(pathNameKey(list))?.find(id) ?? null
      const path = `items.${list}.${id}`
      if (data === null ? item !== null : item === null)
        return data === null ? `${path} exists, and should not` : `${path} does not exist`
      const difference = item && differenceFrom(data, parseExact(item.data), path)
      if (difference) return difference
    }
  }
  return null
}

/** Lists are named by their keys. `item` is accepted in addition to `itemId`: the key of a given item, or an id. */
function withKey(write: unknown): unknown {
  if (!isObject(write)) return write
  const { item, ...rest } = write
  const [list, itemId = item] = [own(write, 'list'), own(write, 'itemId')]
  return {
    ...rest,
    ...(typeof list === 'string' && { list: pathNameKey(list) }),
    ...(itemId !== undefined && { itemId }),
  }
}

function shownWrite({ op, list, itemId, before, after, node }: FlowWrite): unknown {
  const item = after ?? before
  return { op, list, itemId, version: item?.version, data: item && parseExact(item.data), node }
}

function shownEmit({ webhooks, payload, node }: FlowEmit): unknown {
  return { webhooks, payload: parseExact(payload), node }
}
