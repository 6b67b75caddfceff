import { compareTexts } from '#shared/json/compare/compare-texts.ts'
import { compareDecimals } from '#shared/json/decimal.ts'
import type { JsonTree } from '#shared/json/text/tree.ts'
import type { Operator, Scalar } from './query.ts'
import type { PathSteps } from './steps.ts'

/** A value that a filter compares: a scalar, or the number of an object or array in its tree. */
export type Value = Scalar | { kind: 'object' | 'array'; node: number }

type Context = { tree: JsonTree; steps: PathSteps }
type Pair = readonly [Value | null, Value | null]

/** The value of a node. Reading a long text costs steps. */
export function valueAt({ tree, steps }: Context, node: number): Value {
  const first = tree.firstOf(node)
  if (first === '{' || first === '[') return { kind: first === '{' ? 'object' : 'array', node }
  const text = tree.textOf(node)
  steps.spend(1 + text.length / 16)
  if (first === '"') return { kind: 'string', value: tree.stringOf(node) }
  return text === 'true' || text === 'false' || text === 'null' ? { kind: 'name', text } : { kind: 'number', text }
}

/**
 * Compares two values as RFC 9535 does (2.3.5.2.2): anything for equality, numbers and texts also for order. Numbers are compared by their
 * decimal value, texts by their characters. Null is not a value, which equals itself.
 */
export function compare(context: Context, operator: Operator, pair: Pair): boolean {
  switch (operator) {
    case '==':
      return areEqual(context, pair)
    case '!=':
      return !areEqual(context, pair)
    case '<':
      return isLess(context, pair)
    case '>':
      return isLess(context, [pair[1], pair[0]])
    case '<=':
      return isLess(context, pair) || areEqual(context, pair)
    case '>=':
      return isLess(context, [pair[1], pair[0]]) || areEqual(context, pair)
  }
}

function areEqual(context: Context, [left, right]: Pair): boolean {
  if (left === null || right === null) return left === right
  if (left.kind === 'number' && right.kind === 'number') return numberOrder(context, left.text, right.text) === 0
  if (left.kind === 'string' && right.kind === 'string') return left.value === right.value
  if (left.kind === 'name' && right.kind === 'name') return left.text === right.text
  if (left.kind === 'array' && right.kind === 'array') return areArraysEqual(context, left.node, right.node)
  if (left.kind === 'object' && right.kind === 'object') return areObjectsEqual(context, left.node, right.node)
  return false
}

function areArraysEqual(context: Context, left: number, right: number): boolean {
  const others = context.tree.childrenOf(right)
  for (const element of context.tree.childrenOf(left)) {
    const other = others.next()
    if (other.done || !areNodesEqual(context, element, other.value)) return false
  }
  return others.next().done === true
}

function areObjectsEqual(context: Context, left: number, right: number): boolean {
  const { tree, steps } = context
  const others = new Map<string, number>()
  for (const member of tree.childrenOf(right)) {
    steps.spend(1)
    others.set(tree.keyOf(member), member)
  }
  let count = 0
  for (const member of tree.childrenOf(left)) {
    const other = others.get(tree.keyOf(member))
    if (other === undefined || !areNodesEqual(context, member, other)) return false
    count++
  }
  return count === others.size
}

function areNodesEqual(context: Context, left: number, right: number): boolean {
  return areEqual(context, [valueAt(context, left), valueAt(context, right)])
}

function isLess(context: Context, [left, right]: Pair): boolean {
  if (left?.kind === 'number' && right?.kind === 'number') return numberOrder(context, left.text, right.text) < 0
  if (left?.kind !== 'string' || right?.kind !== 'string') return false
  return compareTexts(left.value, right.value) < 0
}

/** A double holds every number of 15 digits without an exponent. */
const simpleNumber = /^-?[\d.]{1,15}$/

function numberOrder({ steps }: Context, left: string, right: string): number {
  if (left.length < 16 && right.length < 16 && simpleNumber.test(left) && simpleNumber.test(right)) {
    return Number(left) - Number(right)
  }
  steps.spend(1 + (left.length + right.length) / 16)
  return compareDecimals(left, right)
}
