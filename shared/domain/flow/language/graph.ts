import { flowDocumentLimits } from '../../limits.ts'
import { onlyPort } from './flow.ts'
import type { Place } from './read-value.ts'

/** A node of the graph. `ports` null: unknown, because the node has errors. */
export type GraphNode = { id: string; type: string; ports: readonly string[] | null; place: Place }

/** The next node, by the id of a node and the name of its port. */
export type Edges = ReadonlyMap<string, ReadonlyMap<string, string>>

type Edge = { from: GraphNode; to: GraphNode; port: string; place: Place }

/**
 * Reads the edges between nodes and checks the graph: no cycles, no unreachable nodes, no decisions without a next node.
 * @param value `edges` of the document
 * @param nodes in the order of the document: the first one is the start
 */
export function readEdges(place: Place, value: unknown, nodes: readonly GraphNode[]): Edges {
  const edges = readList(place, value, nodes)
  const next = new Map<string, Map<string, Edge>>(nodes.map(({ id }) => [id, new Map()]))
  for (const edge of edges) {
    const ports = next.get(edge.from.id)
    if (ports?.has(edge.port)) edge.place.error('DUPLICATE_PORT', `is a second edge of ${portOf(edge)}`)
    else ports?.set(edge.port, edge)
  }
  addRings(nodes, next)
  const reached = addUnreached(nodes, next)
  for (const node of nodes) if (reached.has(node.id)) addDeadEnds(node, next.get(node.id) ?? new Map())
  return new Map([...next].map(([id, ports]) => [id, new Map([...ports].map(([port, { to }]) => [port, to.id]))]))
}

const portOf = ({ from, port }: Edge) => (port === onlyPort ? `"${from.id}"` : `the port "${port}" of "${from.id}"`)

function readList(place: Place, value: unknown, nodes: readonly GraphNode[]): Edge[] {
  if (!Array.isArray(value)) {
    place.error('WRONG_TYPE', 'must be an array of edges, such as ["load", "respond"]')
    return []
  }
  if (value.length > flowDocumentLimits.maxEdges)
    place.error('INVALID', `must have at most ${flowDocumentLimits.maxEdges.toLocaleString('en-US')} edges`)
  const known = new Map(nodes.map((node) => [node.id, node]))
  return value.slice(0, flowDocumentLimits.maxEdges).flatMap((entry, n) => readEdge(place.at(n), entry, known) ?? [])
}

function readEdge(place: Place, entry: unknown, nodes: ReadonlyMap<string, GraphNode>): Edge | undefined {
  const isEdge = Array.isArray(entry) && (entry.length === 2 || entry.length === 3)
  if (!isEdge || !entry.every((part) => typeof part === 'string'))
    return place.error('WRONG_TYPE', 'must be [from, to] or [from, to, port], each a string')
  const [from, to] = [0, 1].map((n) => readEnd(place.at(n), entry[n] ?? '', nodes))
  if (!from || !to) return undefined
  const port = readPort(place, { from, name: entry[2] })
  return port === undefined ? undefined : { from, to, port, place }
}

function readEnd(place: Place, id: string, nodes: ReadonlyMap<string, GraphNode>): GraphNode | undefined {
  const node = nodes.get(id)
  if (node) return node
  return place.error('UNKNOWN_NODE', `is not the id of a node${place.hint(id, nodes.keys())}`)
}

/** The port that an edge begins at. */
function readPort(place: Place, { from, name }: { from: GraphNode; name: string | undefined }): string | undefined {
  const { id, type, ports } = from
  if (ports === null) return name ?? onlyPort
  if (ports.length === 0) return place.error('UNKNOWN_PORT', `starts at "${id}", which ends the run`)
  if (name === undefined && ports.includes(onlyPort)) return onlyPort
  if (name === undefined)
    return place.error(
      'UNKNOWN_PORT',
      `must name a port of "${id}", a ${type}: ${ports.map((port) => `"${port}"`).join(', ')}`,
    )
  if (ports.includes(name) && name !== onlyPort) return name
  const portsText = ports.includes(onlyPort) ? 'has no named ports' : `has the ports ${ports.join(', ')}`
  return place.at(2).error('UNKNOWN_PORT', `is not a port of "${id}", which ${portsText}`)
}

type Next = ReadonlyMap<string, ReadonlyMap<string, Edge>>

/** Reports each edge that closes a cycle. */
function addRings(nodes: readonly GraphNode[], next: Next): void {
  const done = new Set<string>()
  const path: string[] = []
  const visit = (id: string): void => {
    path.push(id)
    for (const { to, place } of next.get(id)?.values() ?? []) {
      const ring = path.slice(path.indexOf(to.id))
      if (path.includes(to.id))
        place.error('CYCLE', `is part of a loop, and a run visits each node at most once: ${ringText(ring)}`)
      else if (!done.has(to.id)) visit(to.id)
    }
    path.pop()
    done.add(id)
  }
  for (const { id } of nodes) if (!done.has(id)) visit(id)
}

function ringText(ring: readonly string[]): string {
  const shown = ring.length > 6 ? [...ring.slice(0, 5), '…'] : ring
  return [...shown, ring[0]].join(' → ')
}

/** Reports the nodes that cannot be reached from the start. @returns the reachable nodes */
function addUnreached(nodes: readonly GraphNode[], next: Next): ReadonlySet<string> {
  const start = nodes[0]?.id
  const reached = start === undefined ? new Set<string>() : reachedFrom(start, next)
  for (const { id, place } of nodes)
    if (!reached.has(id))
      place.error('UNREACHABLE', `cannot be reached: no edges lead from "${start}", the first node, to "${id}"`)
  return reached
}

function reachedFrom(start: string, next: Next): Set<string> {
  const reached = new Set([start])
  for (const id of reached) for (const { to } of next.get(id)?.values() ?? []) reached.add(to.id)
  return reached
}

/** Types of nodes that have no effect at the end of a flow: they only read or compute. */
const idleAtEnd = new Set(['compute', 'get-item', 'list-items'])

function addDeadEnds({ id, type, ports, place }: GraphNode, edges: ReadonlyMap<string, Edge>): void {
  if (ports === null) return
  if (ports.length > 0 && !ports.includes(onlyPort)) {
    if (edges.size === 0) place.error('DEAD_END', `has no effect: no port of "${id}" goes to a node`)
    else for (const port of ports) if (!edges.has(port)) addOpenPort(place, port)
  } else if (idleAtEnd.has(type) && edges.size === 0)
    place.warning('DEAD_END', `has no effect: nothing follows "${id}" that could use its value`)
}

function addOpenPort(place: Place, port: string): void {
  place.warning('DEAD_END', `ends the run with 204 at its port "${port}", which goes to no node`)
}

/** For each node, the nodes that may have run before it. */
export function nodesBefore(edges: Edges): ReadonlyMap<string, ReadonlySet<string>> {
  const previous = new Map<string, string[]>()
  for (const [from, ports] of edges)
    for (const to of ports.values()) previous.set(to, [...(previous.get(to) ?? []), from])
  return new Map(
    [...edges.keys()].map((id) => {
      const before = new Set(previous.get(id))
      for (const one of before) for (const earlier of previous.get(one) ?? []) before.add(earlier)
      return [id, before]
    }),
  )
}
