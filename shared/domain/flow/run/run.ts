import type { Value } from '../../expression/value.ts'
import { flowRunLimits } from '../../limits.ts'
import { type FlowNode, onlyPort } from '../language/flow.ts'
import { act } from './acts.ts'
import type { FlowAnswer, FlowAnswered, FlowAsk, FlowOutcome, FlowResult, FlowRunRequest, FlowStep } from './driver.ts'
import { failedRun } from './failure.ts'
import { RunState } from './run-state.ts'
import { Visit } from './visit.ts'

/**
 * Runs a flow: walks its graph from the first node, asks the driver for what it reads, and returns all changes to write. It has no side
 * effects; `driver.ts` describes the questions and answers. The same request with the same answers has the same result, step by step.
 *
 * An item has one state in a run: later nodes see the changes of earlier nodes, by id or alias and in pages, which omit deleted items.
 * Which items a page has, and their order, depends on the committed state only.
 */
export function* runFlow(request: FlowRunRequest): Generator<FlowAsk, FlowResult, FlowAnswer> {
  const state = new RunState(request)
  const outcome = yield* walk(state)
  const { items, emits, steps } = state
  const isDone = outcome.kind === 'answered'
  return {
    outcome,
    writes: isDone ? items.writes() : [],
    emits: isDone ? emits : [],
    reads: items.reads,
    steps,
    fuel: flowRunLimits.steps - Math.max(0, state.fuel),
    work: state.work,
  }
}

function* walk(state: RunState): Generator<FlowAsk, FlowOutcome, FlowAnswer> {
  const { flow } = state.request
  const { nodes, edges, start } = flow
  const unfit = excessFailure(state, start)
  if (unfit) return unfit
  let node = nodes.get(start)
  while (node) {
    const outcome: FlowOutcome | string | null = yield* visit(state, node)
    if (outcome !== null && typeof outcome !== 'string') return outcome
    node = nodes.get(edges.get(node.id)?.get(outcome ?? onlyPort) ?? '')
  }
  return nothingToSay
}

function excessFailure(state: RunState, node: string): FlowOutcome | null {
  try {
    state.assertWithin(state.request.input)
    return null
  } catch (error) {
    return failedRun(error, { node, index: null })
  }
}

const nothingToSay: FlowAnswered = { kind: 'answered', status: 204, headers: {}, body: null }

/** Executes a node and records the step. @returns the outcome of the run, or the port at which it continues; null: the only port */
function* visit(state: RunState, node: FlowNode): Generator<FlowAsk, FlowOutcome | string | null, FlowAnswer> {
  const before = state.fuel
  const began = state.clock?.()
  const visited = new Visit(state, node.id)
  let result: Value = null
  let port: string | null = null
  try {
    yield* state.pause()
    const acted = yield* act(visited, node)
    result = acted.result ?? null
    if (acted.answer) return acted.answer
    port = acted.port ?? onlyPort
    state.results[node.id] = result
    return port
  } catch (error) {
    result = null
    return failedRun(error, { node: node.id, index: visited.index })
  } finally {
    const isLast = port === null || !state.request.flow.edges.get(node.id)?.has(port)
    const took = began !== undefined && state.clock ? { durationMs: rounded(state.clock() - began) } : {}
    const end = { result, port: isLast ? null : port, fuel: before - state.fuel, ...took }
    state.steps.push(stepOf(visited, node, end))
  }
}

const rounded = (ms: number) => Math.round(ms * 1_000) / 1_000

/** The recorded step of a visited node. */
function stepOf(
  { state, inputs }: Visit,
  { id: node, type }: FlowNode,
  { result, ...end }: Pick<FlowStep, 'result' | 'port' | 'fuel' | 'durationMs'>,
): FlowStep {
  const given = Object.entries(inputs).map(([name, value]) => [name, state.kept(value)] as const)
  const kept = state.kept(result)
  return {
    node,
    type,
    inputs: Object.fromEntries(given.map(([name, value]) => [name, value ?? null])),
    result: kept ?? null,
    ...end,
    ...([kept, ...given.map(([, value]) => value)].includes(undefined) && { cut: true }),
  }
}
