import type { JsonTree } from '#shared/json/text/tree.ts'
import { compare, type Value, valueAt } from './compare.ts'
import { compileIRegexp } from './i-regexp.ts'
import type { Comparable, FilterQuery, JsonPath, Segment, Selector, Test } from './query.ts'
import type { PathSteps } from './steps.ts'

/** The context of an evaluation: the text, its budget, and the compiled patterns. */
export type Evaluation = {
  tree: JsonTree
  steps: PathSteps
  patterns: Map<string, ReturnType<typeof compileIRegexp>>
}

/** The nodes that a query finds, in order; a node may be among them several times. @throws PathTooCostly */
export function selectNodes(evaluation: Evaluation, { segments }: JsonPath, from = 0): readonly number[] {
  let nodes: readonly number[] = [from]
  for (const segment of segments) nodes = selectBySegment(evaluation, segment, nodes)
  return nodes
}

function selectBySegment(
  evaluation: Evaluation,
  { descendant, selectors }: Segment,
  nodes: readonly number[],
): readonly number[] {
  const { tree, steps } = evaluation
  const found: number[] = []
  for (const node of nodes) {
    // The numbers of a value and of all that is in it follow each other.
    const end = descendant ? tree.behind(node) : node + 1
    for (let each = node; each < end; each++) {
      steps.spend(selectors.length)
      for (const selector of selectors) select(evaluation, selector, { node: each, found })
    }
  }
  return found
}

type Selected = { node: number; found: number[] }

/** Adds what a selector chooses of a node to what is found. */
function select(evaluation: Evaluation, selector: Selector, { node, found }: Selected): void {
  const { tree, steps } = evaluation
  const kind = tree.firstOf(node)
  if (kind !== '{' && kind !== '[') return
  switch (selector.kind) {
    case 'name':
      if (kind === '{') found.push(...memberOf(evaluation, node, selector.name))
      return
    case 'wildcard':
      for (const child of tree.childrenOf(node)) {
        steps.spend(1)
        found.push(child)
      }
      return
    case 'filter':
      for (const child of tree.childrenOf(node)) {
        steps.spend(1)
        if (passes(evaluation, selector.test, child)) found.push(child)
      }
      return
    default:
      if (kind === '[') selectElements(evaluation, selector, { node, found })
  }
}

/** The member with a name, if there is one. A key that is passed costs a part of a step. */
function memberOf({ tree, steps }: Evaluation, node: number, name: string): number[] {
  let passed = 0
  for (const child of tree.childrenOf(node)) {
    if (++passed % 8 === 0) steps.spend(1)
    if (tree.keyOf(child) === name) return [child]
  }
  return []
}

function selectElements(
  { tree, steps }: Evaluation,
  selector: Extract<Selector, { kind: 'index' | 'slice' }>,
  { node, found }: Selected,
): void {
  steps.spend(1 + tree.newElements(node) / 8)
  const elements = tree.elementsOf(node)
  if (selector.kind === 'index') {
    const element = elements.at(selector.index)
    if (element !== undefined) found.push(element)
    return
  }
  for (const position of positionsOf(selector, elements.length)) {
    steps.spend(1)
    found.push(elements[position] as number)
  }
}

/** The positions of a slice, in its order (RFC 9535, 2.3.4). */
function* positionsOf({ start, end, step }: Extract<Selector, { kind: 'slice' }>, length: number): Generator<number> {
  const fromStart = (position: number) => (position < 0 ? length + position : position)
  if (step > 0) {
    const last = Math.min(Math.max(fromStart(end ?? length), 0), length)
    for (let at = Math.min(Math.max(fromStart(start ?? 0), 0), length); at < last; at += step) yield at
  } else if (step < 0) {
    const last = Math.min(Math.max(end === null ? -1 : fromStart(end), -1), length - 1)
    for (let at = Math.min(Math.max(fromStart(start ?? length - 1), -1), length - 1); at > last; at += step) yield at
  }
}

function passes(evaluation: Evaluation, test: Test, current: number): boolean {
  evaluation.steps.spend(1)
  switch (test.kind) {
    case 'or':
      return test.tests.some((each) => passes(evaluation, each, current))
    case 'and':
      return test.tests.every((each) => passes(evaluation, each, current))
    case 'not':
      return !passes(evaluation, test.test, current)
    case 'exists':
      return nodesOf(evaluation, test.query, current).length > 0
    case 'compare': {
      const left = resultOf(evaluation, test.left, current)
      return compare(evaluation, test.operator, [left, resultOf(evaluation, test.right, current)])
    }
    case 'call': {
      const text = resultOf(evaluation, test.text, current)
      const pattern = resultOf(evaluation, test.pattern, current)
      return text?.kind === 'string' && pattern?.kind === 'string'
        ? isMatch(evaluation, test.name, { text: text.value, pattern: pattern.value })
        : false
    }
  }
}

function nodesOf(evaluation: Evaluation, query: FilterQuery, current: number): readonly number[] {
  return selectNodes(evaluation, query, query.from === 'root' ? 0 : current)
}

/** A value of a filter; null: there is none, which RFC 9535 calls Nothing. */
function resultOf(evaluation: Evaluation, comparable: Comparable, current: number): Value | null {
  switch (comparable.kind) {
    case 'literal':
      return comparable.scalar
    case 'length':
      return lengthOf(evaluation, resultOf(evaluation, comparable.of, current))
    case 'count':
      return numberValue(nodesOf(evaluation, comparable.query, current).length)
    default: {
      const [node, ...others] = nodesOf(evaluation, comparable.query, current)
      return node === undefined || others.length > 0 ? null : valueAt(evaluation, node)
    }
  }
}

/** Characters of a text, elements of an array, members of an object; nothing else has a length. */
function lengthOf({ tree, steps }: Evaluation, value: Value | null): Value | null {
  if (value?.kind === 'string') return numberValue([...value.value].length)
  if (value?.kind !== 'object' && value?.kind !== 'array') return null
  let length = 0
  for (const _child of tree.childrenOf(value.node)) {
    if (++length % 8 === 0) steps.spend(1)
  }
  return numberValue(length)
}

function numberValue(value: number): Value {
  return { kind: 'number', text: String(value) }
}

function isMatch(
  { steps, patterns }: Evaluation,
  name: 'match' | 'search',
  { text, pattern }: { text: string; pattern: string },
): boolean {
  const key = `${name} ${pattern}`
  let compiled = patterns.get(key)
  if (compiled === undefined) {
    steps.spend(stepsOfPattern + pattern.length)
    compiled = compileIRegexp(pattern, name)
    if (compiled) steps.spend(compiled.size * stepsOfInstruction)
    patterns.set(key, compiled)
  }
  if (!compiled) return false
  steps.spend(1 + text.length * Math.max(compiled.size / charactersAndInstructions, 1 / 4))
  return compiled.test(text)
}

/** What compiling a pattern costs, and each of its instructions. */
const stepsOfPattern = 500
const stepsOfInstruction = 10
/** Of a text and of a pattern: so many characters times instructions are at worst one step. */
const charactersAndInstructions = 25
