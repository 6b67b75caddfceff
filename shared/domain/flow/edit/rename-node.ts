import { replaceIn } from '#shared/json/edit/in-text.ts'
import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { childPointer, valueAt } from '#shared/json/pointer.ts'
import { offsetInLiteral } from '#shared/json/text/literal.ts'
import { type Place, partsAt, placesOf } from '#shared/json/text/place.ts'
import { findMember } from '../../expression/children.ts'
import { ExpressionError } from '../../expression/expression-error.ts'
import { parseExpression, parseHelpers } from '../../expression/parse.ts'
import { filterKey, type Lambda, type Node } from '../../expression/syntax.ts'
import { isNodeType } from '../language/nodes.ts'
import { nodeIdMessage, nodeProperties, type Properties } from '../language/properties.ts'
import { isNodeId } from '../language/read-value.ts'
import { type DrawnFlow, readDrawnFlow } from './drawn-flow.ts'

/** A new name (id) for a node; `from` is the current one. */
export type NewName = { from: string; to: string }

/** Why a node cannot be renamed to this name; null: it can. */
export function cannotRename({ nodes }: DrawnFlow, { from, to }: NewName): string | null {
  if (!isNodeId(to)) return nodeIdMessage
  return to !== from && nodes.some(({ id }) => id === to) ? 'is the id of another node' : null
}

/** `unsure`: the pointers of expressions that may name the node by a computed key, or that have errors. */
export type Renamed = { text: string; unsure: string[] }

/**
 * Renames a node in the text of a document: its id, its edges, and the expressions and helpers that read its step.
 * @param text valid JSON; no other character changes
 */
export function renameNode(text: string, name: NewName): Renamed {
  const document: unknown = JSON.parse(text)
  const flow = readDrawnFlow(text)
  const node = flow?.nodes.find(({ id }) => id === name.from)
  if (!flow || !node) return { text, unsure: [] }
  const id = partsAt(text, node.place.from).findLast(({ key }) => key === 'id')
  const ends = flow.edges.flatMap(({ from, to, place }) => {
    const [first, second] = partsAt(text, place.from)
    return [from === name.from && first, to === name.from && second].filter((end) => typeof end === 'object')
  })
  const whole = [id, ...ends].filter((place) => place !== undefined)
  const read = readsIn(text, document, name.from)
  const changes = [
    ...whole.map(({ from, to }) => ({ from, to, insert: JSON.stringify(name.to) })),
    ...read.places.map((place) => ({ ...place, insert: name.to })),
  ]
  return { text: withChanges(text, changes), unsure: read.unsure }
}

/** Renames a node in the text of the tests of a flow, where `writes` and `emits` may name it. @param text valid JSON */
export function renameInTests(text: string, { from, to }: NewName): string {
  const tests = listAt(JSON.parse(text), '/tests')
  const pointers = tests.flatMap((_, n) =>
    ['writes', 'emits'].flatMap((name) => {
      const list = `/tests/${n}/expect/${name}`
      return listAt(JSON.parse(text), list).flatMap((_, m) => `${list}/${m}/node`)
    }),
  )
  const named = pointers.filter((pointer) => valueAt(JSON.parse(text), pointer) === from)
  const changes = [...placesOf(text, named).values()].map((place) => ({ ...place, insert: JSON.stringify(to) }))
  return withChanges(text, changes)
}

function listAt(value: unknown, pointer: string): readonly unknown[] {
  const list = valueAt(value, pointer)
  return Array.isArray(list) ? list : []
}

type Change = Place & { insert: string }

/** Applies the last change first, so that the places of the others stay valid. */
function withChanges(text: string, changes: readonly Change[]): string {
  return changes
    .toSorted((one, other) => other.from - one.from)
    .reduce((changed, { insert, ...place }) => replaceIn(changed, place, insert), text)
}

/** The places in the text of the document that read the step of a node. */
function readsIn(text: string, document: unknown, id: string): { places: Place[]; unsure: string[] } {
  const pointers = expressionPointers(document)
  const literals = placesOf(text, pointers)
  const places: Place[] = []
  const unsure: string[] = []
  for (const pointer of pointers) {
    const literal = literals.get(pointer)
    const expression = valueAt(document, pointer)
    if (!literal || typeof expression !== 'string') continue
    const found = findSteps(expression, { id, isHelpers: pointer === helpersPointer })
    if (!found || found.isOpen) unsure.push(pointer)
    const written = text.slice(literal.from, literal.to)
    for (const { from, to } of found?.places ?? [])
      places.push({
        from: literal.from + offsetInLiteral(written, from),
        to: literal.from + offsetInLiteral(written, to),
      })
  }
  return { places, unsure }
}

const helpersPointer = '/helpers'

/** Null: the text has an error and contains the id. */
function findSteps(text: string, { id, isHelpers }: { id: string; isHelpers: boolean }) {
  try {
    return findMember(text, isHelpers ? bodiesOf(text) : [parseExpression(text)], { name: 'steps', key: id })
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return text.includes(id) ? null : { places: [], isOpen: false }
  }
}

/** The bodies of helpers. A helper with parameters becomes a lambda, because its parameters hide names in the same way. */
function bodiesOf(text: string): (Node | Lambda)[] {
  return parseHelpers(text).map(({ at, parameters, body }) => ({
    kind: 'lambda',
    at,
    parameters: parameters ?? [],
    body,
  }))
}

/** The pointers of all expressions, valid or not. */
function expressionPointers(document: unknown): string[] {
  return [
    helpersPointer,
    ...listAt(document, '/nodes').flatMap((node, n) => {
      const type = isObject(node) ? own(node, 'type') : undefined
      if (!isObject(node) || typeof type !== 'string' || !isNodeType(type)) return []
      return Object.entries(nodeProperties[type] as Properties).flatMap(([name, { kind }]) =>
        pointersOf(kind, `/nodes/${n}/${name}`, own(node, name)),
      )
    }),
  ]
}

function pointersOf(kind: Properties[string]['kind'], pointer: string, value: unknown): string[] {
  if (kind === 'expression' || kind === 'tags') return [pointer]
  if (kind === 'cases') return Array.isArray(value) ? value.map((_, n) => `${pointer}/${n}/when`) : []
  if ((kind !== 'conditions' && kind !== 'headers') || !isObject(value)) return []
  return Object.entries(value).map(([key, one]) => {
    const inner = childPointer(pointer, key)
    return isObject(one) ? childPointer(inner, filterKey) : inner
  })
}
