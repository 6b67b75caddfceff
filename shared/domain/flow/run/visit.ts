import { isList, kindNames, kindOf, type Value } from '../../expression/value.ts'
import type { FlowExpression } from '../language/properties.ts'
import { wrongValue } from './failure.ts'
import type { RunState } from './run-state.ts'

/** One node while it executes: evaluates its expressions and records their values. */
export class Visit {
  readonly state: RunState
  readonly node: string
  readonly inputs: Record<string, Value> = Object.create(null)
  /** Below `each`: the position of the element. */
  index: number | null = null
  readonly #names: Map<string, Value>
  readonly #steps: Value

  constructor(state: RunState, node: string) {
    this.state = state
    this.node = node
    this.#names = state.names()
    this.#steps = this.#names.get('steps') ?? null
  }

  /** Starts the evaluations for an element of `each`. */
  begin(item: Value, index: number): void {
    this.index = index
    this.#names.set('item', item).set('index', index)
  }

  /** Ends the evaluations for elements. */
  end(): void {
    this.index = null
    this.#names.delete('item')
    this.#names.delete('index')
  }

  /** @param name of the property, for the record. @throws FlowFailure */
  value(name: string, expression: FlowExpression): Value {
    const value = this.state.evaluate(expression, this.#names)
    // `steps` is the only value that an expression can read without an earlier check of its bounds.
    if (value === this.#steps) this.state.assertWithin(value)
    this.inputs[name] = value
    return value
  }

  condition(name: string, expression: FlowExpression): boolean {
    const value = this.value(name, expression)
    if (typeof value === 'boolean') return value
    throw wrongValue(expression, `a condition must be true or false, not ${kindNames[kindOf(value)]}`)
  }

  list(name: string, expression: FlowExpression): readonly Value[] {
    const value = this.value(name, expression)
    if (isList(value)) return value
    throw wrongValue(expression, `${name} must be a list, not ${kindNames[kindOf(value)]}`)
  }

  text(name: string, expression: FlowExpression, what: string): string {
    const value = this.value(name, expression)
    if (typeof value === 'string') return value
    throw wrongValue(expression, `${name} must be ${what}, not ${kindNames[kindOf(value)]}`)
  }

  /** The JSON text of a value that leaves the run. */
  json(name: string, expression: FlowExpression): string {
    const text = jsonOf(this.value(name, expression), expression)
    this.state.readJson(text)
    return text
  }
}

/** @throws FlowFailure if a text has half of a surrogate pair, which stored or sent JSON must not contain */
export function jsonOf(value: Value, expression: FlowExpression): string {
  const text = JSON.stringify(value)
  if (loneSurrogate.test(text)) throw wrongValue(expression, 'a text must not have half of a surrogate pair')
  return text
}

/** Half of a surrogate pair as `JSON.stringify` escapes it; not after an escaped backslash. */
const loneSurrogate = /(?<!\\)(?:\\\\)*\\ud[89a-f]/
