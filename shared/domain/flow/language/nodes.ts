import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { flowDocumentLimits } from '../../limits.ts'
import { eachNames, type FlowNode, onlyPort, runNames } from './flow.ts'
import type { GraphNode } from './graph.ts'
import { type NodeType, nodeIdMessage, nodeProperties, nodeTypes, type Properties } from './properties.ts'
import { readProperties } from './read-properties.ts'
import { isNodeId, Place, readValue } from './read-value.ts'

/** A node of the document; `node` null: it has errors. Its id is well-formed and unique. */
export type FoundNode = { id: string; node: FlowNode | null; raw: Readonly<Record<string, unknown>>; place: Place }

/** Reads the nodes, each by the table of its type and in a separate step. Nodes without a unique id are skipped. */
export function* readNodes(place: Place, value: unknown): Generator<undefined, FoundNode[]> {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length === 0) {
    place.error('WRONG_TYPE', 'must be an array of at least one node')
    return []
  }
  const { maxNodes } = flowDocumentLimits
  if (value.length > maxNodes)
    place.at(maxNodes).error('INVALID', `is one too many: a flow has at most ${maxNodes} nodes`)
  const ids = new Set<string>()
  const found: FoundNode[] = []
  for (const [n, raw] of value.slice(0, maxNodes).entries()) {
    const node = readFound(place.at(n), raw, ids)
    if (node) found.push(node)
    yield
  }
  return found
}

/** @param ids of the nodes before it */
function readFound(place: Place, raw: unknown, ids: Set<string>): FoundNode | undefined {
  if (!isObject(raw)) return place.error('WRONG_TYPE', 'must be an object with id and type')
  const id = own(raw, 'id')
  if (typeof id !== 'string' || !isNodeId(id)) return place.at('id').error('INVALID', nodeIdMessage)
  const inNode = new Place({ ...place.reading, node: id }, place.pointer)
  if (ids.has(id)) return inNode.at('id').error('DUPLICATE_ID', 'is already the id of an earlier node')
  ids.add(id)
  return { id, node: readNode(inNode, id, raw), raw, place: inNode }
}

function readNode(place: Place, id: string, raw: Record<string, unknown>): FlowNode | null {
  const type = own(raw, 'type')
  if (typeof type !== 'string' || !isNodeType(type)) {
    const hint = typeof type === 'string' ? place.hint(type, nodeTypes) : ''
    place.at('type').error('UNKNOWN_TYPE', `must be one of ${nodeTypes.join(', ')}${hint}`)
    return null
  }
  const { each: eachRow, ...table } = nodeProperties[type] as Properties
  const isEach = eachRow !== undefined && Object.hasOwn(raw, 'each')
  const outside = new Place({ ...place.reading, names: runNames }, place.pointer)
  const inside = isEach ? new Place({ ...place.reading, names: [...runNames, ...eachNames] }, place.pointer) : outside
  const each = isEach ? readValue(outside.at('each'), eachRow, raw.each) : null
  const values = readProperties(inside, raw, table, ['id', 'type', ...(eachRow ? ['each'] : [])])
  if (!values || each === undefined) return null
  const node = { id, type, ...values, ...(eachRow && { each }) } as FlowNode
  return isWhole(place, node) ? node : null
}

export function isNodeType(type: string): type is NodeType {
  return Object.hasOwn(nodeProperties, type)
}

/** Checks that the table of a type cannot express. */
function isWhole(place: Place, node: FlowNode): boolean {
  if (node.type === 'update-item') {
    const given = [node.merge, node.patch, node.data].filter((change) => change !== null)
    if (given.length !== 1) place.error('INVALID', 'must have exactly one of merge, patch and data')
    return given.length === 1
  }
  if (node.type !== 'respond' || node.body === null || !bodiless.includes(node.status)) return true
  place.at('body').error('INVALID', `is not allowed: an answer with the status ${node.status} has no body`)
  return false
}

/** HTTP statuses whose answers have no body. */
const bodiless = [204, 205, 304]

/** A node for the graph. */
export function graphNode({ id, node, raw, place }: FoundNode): GraphNode {
  return { id, type: String(own(raw, 'type')), ports: node && portsOf(node), place }
}

/** The ports of a node. @param cases of a `switch` */
export function portsOf({ type, cases }: { type: NodeType; cases?: readonly { port: string }[] }): readonly string[] {
  switch (type) {
    case 'condition':
      return ['true', 'false']
    case 'switch':
      return [...new Set([...(cases ?? []).map(({ port }) => port), defaultPort])]
    case 'respond':
      return []
    default:
      return [onlyPort]
  }
}

/** Where a `switch` continues when none of its cases is true. */
export const defaultPort = 'default'
