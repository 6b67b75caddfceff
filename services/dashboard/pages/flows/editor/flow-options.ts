import { filterKey } from '#shared/domain/expression/syntax.ts'
import { eachNames, runNames } from '#shared/domain/flow/language/flow.ts'
import { defaultPort, isNodeType } from '#shared/domain/flow/language/nodes.ts'
import type { Properties, Property } from '#shared/domain/flow/language/properties.ts'
import {
  documentProperties,
  endpointProperties,
  nodeProperties,
  nodeTypes,
} from '#shared/domain/flow/language/properties.ts'
import { parsePointer } from '#shared/json/pointer.ts'
import { nodeIdsIn, openAt, textMembers } from './flow-place.ts'

/** What documents may refer to: lists by path name, and webhooks by id with a short description of each. */
export type NamedInAccount = { lists: readonly string[]; webhooks: readonly (readonly [id: string, about: string])[] }

/** The completions at a place: keys with their descriptions, or values. */
export type Options = { keys: readonly (readonly [name: string, about: string])[]; values: readonly unknown[] }

const nothing: Options = { keys: [], values: [] }
const keysOf = (table: Properties): Options => ({
  keys: Object.entries(table).map(([name, { about }]) => [name, about]),
  values: [],
})

/** The completions of a document at a place. @param at its offset; `pointer` names the enclosing value */
export function documentOptions(text: string, at: number, pointer: string, named: NamedInAccount): Options {
  const [first, second, third, fourth] = parsePointer(pointer) ?? []
  if (first === undefined) return keysOf(documentProperties)
  if (first === 'edges' && second !== undefined) return edgeOptions(text, at, third)
  if (first === 'entry')
    return second === undefined ? keysOf(endpointProperties) : valuesOf(endpointProperties, second, named)
  if (first !== 'nodes' || second === undefined) return nothing
  const type = nodeAt(text, at).get('type') ?? ''
  const table: Properties = isNodeType(type) ? nodeProperties[type] : {}
  if (third === undefined) return { keys: [...ownKeys, ...keysOf(table).keys], values: [] }
  if (third === 'type') return { keys: [], values: nodeTypes }
  if (third === 'cases' && fourth !== undefined) return keysOf(caseProperties)
  return valuesOf(table, third, named)
}

const ownKeys = [
  ['id', 'Name of the node: steps.<id> is its result.'],
  ['type', 'Kind of the node.'],
] as const
const caseProperties: Properties = {
  when: { kind: 'expression', about: 'A condition: true or false.' },
  port: { kind: 'text', max: 50, about: 'Port at which the run continues.' },
}

/** The members of the node that contains an offset: the third open object or array of the document. */
function nodeAt(text: string, at: number): ReadonlyMap<string, string> {
  const from = openAt(text, at).open[2]
  return from === undefined ? new Map() : textMembers(text, from)
}

function valuesOf(table: Properties, name: string, { lists, webhooks }: NamedInAccount): Options {
  const row = Object.hasOwn(table, name) ? table[name] : undefined
  if (name === 'list') return { keys: [], values: lists }
  if (row?.kind === 'ids') return { keys: [], values: webhooks.map(([id]) => id) }
  if (row?.kind === 'flag') return { keys: [], values: [true, false] }
  return { keys: [], values: row?.kind === 'choice' ? row.of : [] }
}

/** Completes an edge: its nodes, and the ports of nodes with several. */
function edgeOptions(text: string, at: number, place: string | undefined): Options {
  const from = openAt(text, at).open[2]
  const edge = from === undefined ? '' : text.slice(from, at)
  if (place !== '2') return { keys: [], values: nodeIdsIn(text) }
  const id = /^\[\s*"(\w*)"/.exec(edge)?.[1]
  const node = nodesIn(text).find((members) => members.get('id') === id)
  if (node?.get('type') === 'condition') return { keys: [], values: ['true', 'false'] }
  return { keys: [], values: [...portsIn(text), defaultPort] }
}

const portsIn = (text: string) => [...new Set([...text.matchAll(/"port"\s*:\s*"(\w+)"/g)].map(([, port]) => port))]

/** The members of all objects that have an id. */
function nodesIn(text: string): ReadonlyMap<string, string>[] {
  return [...text.matchAll(/\{[^{}]*?"id"\s*:/g)].map(({ index }) => textMembers(text, index))
}

/** Whether the text at a pointer is an expression, and which further names it may use. */
export function expressionAt(text: string, at: number, pointer: string): { names: readonly string[] } | null {
  const [first, second, third, fourth, fifth] = parsePointer(pointer) ?? []
  if (first === 'helpers' && second === undefined) return { names: runNames }
  if (first !== 'nodes' || third === undefined) return null
  const node = nodeAt(text, at)
  const type = node.get('type') ?? ''
  const table: Properties = isNodeType(type) ? nodeProperties[type] : {}
  const row: Property | undefined = Object.hasOwn(table, third) ? table[third] : undefined
  if (!row || !isExpression(row.kind, [fourth, fifth])) return null
  return { names: node.has('each') && third !== 'each' ? [...runNames, ...eachNames] : runNames }
}

function isExpression(kind: Property['kind'], [key, inner]: readonly (string | undefined)[]): boolean {
  if (kind === 'expression' || kind === 'tags') return key === undefined
  if (kind === 'cases') return inner === 'when'
  if (kind === 'conditions' && inner === filterKey) return true
  return (kind === 'conditions' || kind === 'headers') && key !== undefined && inner === undefined
}

/** The members of an item, and those of the caller. */
const itemKeys = ['id', 'data', 'version', 'tags', 'identity', 'createdAt', 'updatedAt', 'description', 'size']
const keysByName: Readonly<Record<string, readonly string[]>> = {
  identity: ['id', 'name', 'displayName', 'group', 'tags'],
  token: ['id', 'name', 'tags'],
  flow: ['id', 'name', 'runId'],
}

/** The members of a name, such as `steps` or `steps.card`. @param inputKeys properties of the input */
export function membersBehind(text: string, path: readonly string[], inputKeys: readonly string[]): readonly string[] {
  const [name = '', id, ...more] = path
  if (more.length > 0) return []
  if (name === 'steps' && id === undefined) return nodeIdsIn(text)
  if (name === 'steps') {
    const type =
      nodesIn(text)
        .find((members) => members.get('id') === id)
        ?.get('type') ?? ''
    return /^(get|create|update|delete)-item$/.test(type) ? itemKeys : []
  }
  if (id !== undefined) return []
  return name === 'input' ? inputKeys : Object.hasOwn(keysByName, name) ? (keysByName[name] ?? []) : []
}
