import { insertElement, moveToFront, removeElement } from '#shared/json/edit/in-text.ts'
import { flowDocumentLimits } from '../../limits.ts'
import { portsOf } from '../language/nodes.ts'
import type { NodeType } from '../language/properties.ts'
import { cannotBegin, type NewNames, newNode } from './beginnings.ts'
import { connect, type PortOf, removeEdges } from './change-edges.ts'
import { type DrawnFlow, elementsAt, membersAt, nextOf, readDrawnFlow } from './drawn-flow.ts'

/** The place of a new node: after a port, and before the node that the port goes to; before the first node; or unconnected. */
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

/** The node that follows a new node at a place. */
function followerOf(flow: DrawnFlow, at: NewPlace): string | null {
  if (at === 'alone') return null
  return at === 'first' ? (flow.nodes[0]?.id ?? null) : (nextOf(flow, at.node).get(at.port) ?? null)
}

/**
 * Adds a node to the text of a document. The first port of the node goes to the node that followed at that place.
 * @param text valid JSON; no other character changes
 * @returns the text and the id of the new node; null: the document has no list of nodes
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
 * Deletes a node and its edges from the text of a document. If all its ports went to one node, the edges to the deleted node now go there.
 * Expressions that read its value are not changed; the check of the document reports them.
 * @param key of the drawn node
 * @param text valid JSON; no other character changes
 * @returns null: it is the only node, and a flow needs at least one
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
