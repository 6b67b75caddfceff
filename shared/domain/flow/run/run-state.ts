import { Measures } from '../../expression/bounds.ts'
import type { Run } from '../../expression/evaluate.ts'
import { evaluate } from '../../expression/evaluate.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { randomFrom } from '../../expression/random.ts'
import { stepsOf } from '../../expression/steps.ts'
import type { Value } from '../../expression/value.ts'
import { objectOf } from '../../expression/value.ts'
import type { Item } from '../../item/item.ts'
import { flowRunLimits } from '../../limits.ts'
import { isoTime } from '../../text/iso-time.ts'
import { utf8Length } from '../../text/utf8-length.ts'
import type { FlowExpression } from '../language/properties.ts'
import type { FlowAnswer, FlowAsk, FlowEmit, FlowList, FlowRunRequest, FlowStep } from './driver.ts'
import { FlowFailure, failedExpression, failure } from './failure.ts'
import { RunItems } from './run-items.ts'

/** The maximum bytes of a value that is recorded of a run. */
export const maxKeptBytes = 4 * 1024

/** The actions of a run that are limited in number. */
type Counted = 'reads' | 'writes' | 'emits' | 'bytesRead' | 'bytesWritten'

/** An item as a value, and the characters of its text. */
export type ItemValue = { value: Value; length: number }

/** The state that the nodes of one run share: results, items, and what is left of each limit. */
export class RunState {
  readonly request: FlowRunRequest
  /** The value of `steps` in expressions: the results of visited nodes. */
  readonly results: Record<string, Value> = Object.create(null)
  readonly items: RunItems
  readonly emits: FlowEmit[] = []
  readonly steps: FlowStep[] = []
  /** The objects that expressions wrote as filters. */
  readonly filters = new WeakSet<object>()
  /** Items as nodes see them, with and without guarded values. */
  readonly itemValues = { guarded: new WeakMap<Item, ItemValue>(), open: new WeakMap<Item, ItemValue>() }
  /** The names that have the same value for every node. */
  readonly #names: ReadonlyMap<string, Value>
  readonly #run: Run
  readonly #left: Record<Counted, number> = { ...flowRunLimits }
  readonly #measures = new Measures()
  /** Work outside of expressions, in steps. */
  #otherWork = 0
  /** The work at the last question to the driver. */
  #seenWork = 0

  constructor(request: FlowRunRequest) {
    const { flow, seed, input, identity, token, now, about } = request
    this.request = request
    this.items = new RunItems(request)
    this.#run = {
      fuel: flowRunLimits.steps,
      helpers: flow.helpers,
      random: randomFrom(seed),
      patterns: new Map(),
      measures: this.#measures,
      filters: this.filters,
    }
    this.#names = new Map<string, Value>([
      ['input', input],
      ['identity', identity && objectOf(Object.entries(identity))],
      ['token', token && objectOf(Object.entries(token))],
      ['now', isoTime(now)],
      ['flow', objectOf(Object.entries(about))],
    ])
  }

  get clock(): FlowRunRequest['clock'] {
    return this.request.clock
  }

  get fuel(): number {
    return this.#run.fuel
  }

  /** Steps of expressions plus all other work, in steps: on values and items. */
  get work(): number {
    return flowRunLimits.steps - this.fuel + this.#measures.work + this.#otherWork
  }

  /** The names for a node's expressions. `steps` is a copy, so that a recorded value does not change later. */
  names(): Map<string, Value> {
    return new Map(this.#names).set('steps', objectOf(Object.entries(this.results)))
  }

  /** @throws FlowFailure */
  evaluate(expression: FlowExpression, names: ReadonlyMap<string, Value>): Value {
    try {
      return evaluate(this.#run, expression, names)
    } catch (error) {
      throw error instanceof ExpressionError ? failedExpression(error, expression) : error
    }
  }

  /** Counts work outside of expressions: characters of JSON that were read or written. */
  worked(characters: number): void {
    this.#otherWork += stepsOf(characters)
  }

  /** The same for JSON as a node sees it. @throws FlowFailure if the nodes of the run read too much */
  readJson(text: string): void {
    this.worked(text.length)
    this.take('bytesRead', utf8Length(text))
  }

  /** @param what the name of the value in the message. @throws FlowFailure if it exceeds the bounds of values */
  assertWithin(value: Value, what = 'the value'): void {
    const excess = this.#measures.excessOf(value)
    if (excess !== null) throw failure('LIMIT', `${what} ${excess}`)
  }

  /** The value in the form in which a run records it; undefined: too long. */
  kept(value: Value): Value | undefined {
    return this.#measures.isWithin(value, maxKeptBytes) ? value : undefined
  }

  /** Yields to the driver after enough work since the last time. */
  *pause(): Generator<FlowAsk, void, FlowAnswer> {
    if (this.work - this.#seenWork >= flowRunLimits.stepsAtOnce) yield* this.ask({ ask: 'pause', work: this.work })
  }

  /** @throws FlowFailure if the driver rejects the question */
  *ask(question: FlowAsk): Generator<FlowAsk, FlowAnswer, FlowAnswer> {
    this.#seenWork = this.work
    const answer = yield question
    if ('rejected' in answer && answer.rejected) throw new FlowFailure({ ...answer.rejected })
    return answer
  }

  /** Counts an action that is limited in number. @throws FlowFailure */
  take(counted: Counted, count = 1): void {
    this.#left[counted] -= count
    if (this.#left[counted] < 0) throw failure('LIMIT', `a run ${bounds[counted]}`)
  }

  left(counted: Counted): number {
    return this.#left[counted]
  }

  /** @throws FlowFailure when the list is gone */
  list(key: string): FlowList {
    const list = this.request.lists.get(key)
    if (!list) throw failure('NOT_FOUND', `there is no list "${key}"`)
    return list
  }
}

const mib = 1024 * 1024

/** The limits of a run, as the end of a sentence. */
const bounds: Readonly<Record<Counted, string>> = {
  reads: `reads at most ${flowRunLimits.reads} items`,
  writes: `writes at most ${flowRunLimits.writes} items`,
  emits: `emits at most ${flowRunLimits.emits} events`,
  bytesRead: `reads and creates at most ${flowRunLimits.bytesRead / mib} MiB of JSON`,
  bytesWritten: `writes and emits at most ${flowRunLimits.bytesWritten / mib} MiB`,
}
