import { isObject } from '#shared/json/is-object.ts'
import { own } from '#shared/json/own.ts'
import { type Part, type Place, partsAt } from '#shared/json/text/place.ts'
import { onlyPort } from '../language/flow.ts'
import { isNodeType, portsOf } from '../language/nodes.ts'

/** A node of a flow as it is drawn, even if it has errors. */
export type DrawnNode = {
  /** Its id. If it has none, or an earlier node has the same one: `#` and its position. */
  key: string
  /** Null: it has no unique id, so no edge can go to it. */
  id: string | null
  /** As written in the document, even if there is no such type. */
  type: string
  /** The list that it uses, or the status that it answers with; null: neither. */
  detail: string | null
  ports: readonly string[]
  /** Its object in the text. */
  place: Place
}

/** An edge between two existing nodes. */
export type DrawnEdge = { from: string; to: string; port: string; place: Place }

/** The drawable parts of a document: its nodes, their ports and edges, and the place of each in the text. */
export type DrawnFlow = {
  /** The place of its entry; null: none. */
  entry: Place | null
  /** In the order of the document: the first one is the start. */
  nodes: readonly DrawnNode[]
  edges: readonly DrawnEdge[]
}

/**
 * Reads the drawable parts of a document, valid or not.
 * @param text in any layout
 * @returns null if it is not a JSON object
 */
export function readDrawnFlow(text: string): DrawnFlow | null {
  const document = parsed(text)
  if (!isObject(document)) return null
  const members = membersAt(text)
  const nodes = elementsAt(text, members.get('nodes')).map((part, n) =>
    drawnNode(listIn(document, 'nodes')[n], part, n),
  )
  const taken = new Set<string>()
  const unique = nodes.map((node, n) => {
    if (node.id !== null && !taken.has(node.id)) return taken.add(node.id) && node
    return { ...node, id: null, key: `#${n}` }
  })
  const byId = new Map(unique.map((node) => [node.id, node]))
  const edges = elementsAt(text, members.get('edges')).flatMap(
    (part, n) => drawnEdge(listIn(document, 'edges')[n], part, byId) ?? [],
  )
  return { entry: members.get('entry') ?? null, nodes: unique, edges }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** The members of the document by key. If a key is repeated, the last one counts, as in `JSON.parse`. */
export function membersAt(text: string): ReadonlyMap<string, Part> {
  return new Map(partsAt(text, text.search(/\S/)).map((part) => [part.key, part]))
}

/** The elements of a list of the document. */
export function elementsAt(text: string, list: Place | undefined): Part[] {
  return list && text[list.from] === '[' ? partsAt(text, list.from) : []
}

function listIn(document: Record<string, unknown>, name: string): readonly unknown[] {
  const list = own(document, name)
  return Array.isArray(list) ? list : []
}

function drawnNode(raw: unknown, { from, to }: Place, n: number): DrawnNode {
  const { id, type, cases, list, status } = isObject(raw) ? raw : {}
  const name = typeof id === 'string' && id !== '' ? id : null
  const known = typeof type === 'string' && isNodeType(type) ? type : null
  const ports = known ? portsOf({ type: known, cases: casesOf(cases) }) : [onlyPort]
  const detail = typeof list === 'string' ? list : typeof status === 'number' ? String(status) : null
  const shownType = typeof type === 'string' ? type : ''
  return { key: name ?? `#${n}`, id: name, type: shownType, detail, ports, place: { from, to } }
}

function casesOf(cases: unknown): { port: string }[] {
  if (!Array.isArray(cases)) return []
  return cases.flatMap((one) => {
    const port = isObject(one) ? own(one, 'port') : undefined
    return typeof port === 'string' ? [{ port }] : []
  })
}

function drawnEdge(
  raw: unknown,
  { from, to }: Place,
  nodes: ReadonlyMap<string | null, DrawnNode>,
): DrawnEdge | undefined {
  if (!Array.isArray(raw) || !raw.every((end) => typeof end === 'string')) return undefined
  const [first = '', second = '', port = onlyPort] = raw
  if (!nodes.has(first) || !nodes.has(second)) return undefined
  return { from: first, to: second, port, place: { from, to } }
}

/** The nodes that follow a node, by port. */
export function nextOf({ edges }: DrawnFlow, id: string): ReadonlyMap<string, string> {
  return new Map(edges.filter(({ from }) => from === id).map(({ port, to }) => [port, to]))
}

/** Whether a path leads from one node to another. */
export function leadsTo({ edges }: DrawnFlow, from: string, to: string): boolean {
  const reached = new Set([from])
  for (const id of reached) for (const edge of edges) if (edge.from === id) reached.add(edge.to)
  return reached.has(to)
}
