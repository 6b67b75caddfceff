import { addMember, insertElement, removeElement, replaceIn } from '#shared/json/edit/in-text.ts'
import { partsAt } from '#shared/json/text/place.ts'
import { onlyPort } from '../language/flow.ts'
import { type DrawnEdge, type DrawnFlow, elementsAt, leadsTo, membersAt, readDrawnFlow } from './drawn-flow.ts'

/** A port of a node. */
export type PortOf = { node: string; port: string }

/** Why a port cannot be connected to a node; null: it can. Both are ids. */
export function cannotConnect(flow: DrawnFlow, { node, port }: PortOf, to: string): string | null {
  const from = flow.nodes.find(({ id }) => id === node)
  if (!from?.ports.includes(port) || !flow.nodes.some(({ id }) => id === to)) return 'there is no such port or node'
  return leadsTo(flow, to, node) ? 'would form a loop, and a run visits each node at most once' : null
}

/**
 * Connects a port to a node in the text of a document. An existing edge of the port is redirected.
 * @param text valid JSON; only the characters of this edge change
 */
export function connect(text: string, { node, port }: PortOf, to: string): string {
  const edges = readDrawnFlow(text)?.edges ?? []
  const present = edges.find((edge) => edge.from === node && edge.port === port)
  if (present) {
    const end = partsAt(text, present.place.from)[1]
    return end ? replaceIn(text, end, JSON.stringify(to)) : text
  }
  const edge = port === onlyPort ? [node, to] : [node, to, port]
  const list = membersAt(text).get('edges')
  if (!list) return addMember(text, wholeOf(text), { key: 'edges', value: [edge], behind: 'nodes' })
  return insertElement(text, list, positionFor(text, edges, node), edge)
}

const wholeOf = (text: string) => ({ from: text.search(/\S/), to: text.length })

/** The position for a new edge: after the edges that begin at the node, else after those that end there, else after all edges. */
function positionFor(text: string, edges: readonly DrawnEdge[], node: string): number {
  const behind = edges.findLast(({ from }) => from === node) ?? edges.findLast(({ to }) => to === node)
  const all = elementsAt(text, membersAt(text).get('edges'))
  return behind ? all.findIndex(({ from }) => from === behind.place.from) + 1 : all.length
}

/** Removes the edge of a port from the text of a document. @param text valid JSON */
export function disconnect(text: string, { node, port }: PortOf): string {
  return removeEdges(text, (edge) => edge.from === node && edge.port === port)
}

/** The text without the edges that match. */
export function removeEdges(text: string, isGone: (edge: DrawnEdge) => boolean): string {
  let changed = text
  for (;;) {
    const list = membersAt(changed).get('edges')
    const gone = readDrawnFlow(changed)?.edges.find(isGone)
    if (!list || !gone) return changed
    const n = elementsAt(changed, list).findIndex(({ from }) => from === gone.place.from)
    changed = removeElement(changed, list, n)
  }
}
