import { insertElement, moveToFront, removeElement } from '#shared/json/edit/in-text.ts'
import { flowDocumentLimits } from '../../limits.ts'
import { portsOf } from '../language/nodes.ts'
import type { NodeType } from '../language/properties.ts'
import { cannotBegin, type NewNames, newNode } from './beginnings.ts'
import { connect, type PortOf, removeEdges } from './change-edges.ts'
import { type DrawnFlow, elementsAt, membersAt, nextOf, readDrawnFlow } from './drawn-flow.ts'

/** Where a new node stands: after a port, and before what that leads to; before the first node; or alone. */
export type NewPlace = PortOf | 'first' | 'alone'

/** Why a node cannot be added at a place; null: it can. */
export function cannotAdd(
  flow: DrawnFlow,
  type: NodeType,
  { at, names }: { at: NewPlace; names: NewNames },
): string | null {
  const { maxNodes } = flowDocumentLimits
  if (flow.nodes.length >= maxNodes) return `a flow has at most ${maxNodes} nodes`
  if (portsOf({ type }).length === 0 && followerOf(flow, at) !== null)
    return 'it ends the run, and something follows here'
  return cannotBegin(type, names)
}

/** What follows a new node at a place. */
function followerOf(flow: DrawnFlow, at: NewPlace): string | null {
  if (at === 'alone') return null
  return at === 'first' ? (flow.nodes[0]?.id ?? null) : (nextOf(flow, at.node).get(at.port) ?? null)
}

/**
 * The text of a document with a new node. What followed at its place follows it, at its first port.
 * @param text valid JSON, of which no other character changes
 * @returns the id of the new node, too; null: the document has no list of nodes
 */
export function addNode(
  text: string,
  type: NodeType,
  { at, names }: { at: NewPlace; names: NewNames },
): { text: string; id: string } | null {
  const flow = readDrawnFlow(text)
  const list = membersAt(text).get('nodes')
  if (!flow || !list || text[list.from] !== '[') return null
  const node = newNode(flow, type, names)
  const follower = followerOf(flow, at)
  let changed = insertElement(text, list, positionFor(flow, at), node)
  if (typeof at === 'object') changed = connect(changed, at, node.id)
  const [port] = readDrawnFlow(changed)?.nodes.find(({ id }) => id === node.id)?.ports ?? []
  if (follower !== null && port !== undefined) changed = connect(changed, { node: node.id, port }, follower)
  return { text: changed, id: node.id }
}

function positionFor({ nodes }: DrawnFlow, at: NewPlace): number {
  if (at === 'first') return 0
  return at === 'alone' ? nodes.length : nodes.findIndex(({ id }) => id === at.node) + 1
}

/**
 * The text of a document without a node and its edges. Where all its ports led to one node, what led to it leads there now. What reads
 * its value is not changed: the check of the document reports it.
 * @param key of the drawn node
 * @param text valid JSON, of which no other character changes
 * @returns null: it is the only node, and a flow has at least one
 */
export function deleteNode(text: string, key: string): string | null {
  const flow = readDrawnFlow(text)
  const n = flow?.nodes.findIndex((node) => node.key === key) ?? -1
  const node = flow?.nodes[n]
  if (!flow || !node || flow.nodes.length === 1) return null
  const { id } = node
  if (id === null) return withoutElement(text, n)
  const followers = [...new Set(nextOf(flow, id).values())]
  const follower = followers.length === 1 ? followers[0] : undefined
  let changed = text
  if (follower !== undefined)
    for (const { from, port } of flow.edges.filter(({ to }) => to === id))
      changed = connect(changed, { node: from, port }, follower)
  changed = removeEdges(changed, (edge) => edge.from === id || edge.to === id)
  changed = withoutElement(changed, n)
  return n === 0 && follower !== undefined ? startingWith(changed, follower) : changed
}

function withoutElement(text: string, n: number): string {
  const list = membersAt(text).get('nodes')
  return list ? removeElement(text, list, n) : text
}

/** The first node is the start. */
function startingWith(text: string, id: string): string {
  const list = membersAt(text).get('nodes')
  const n = readDrawnFlow(text)?.nodes.findIndex((node) => node.id === id) ?? 0
  return list && n < elementsAt(text, list).length ? moveToFront(text, list, n) : text
}
