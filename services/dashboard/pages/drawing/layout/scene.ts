import type { DrawnEdge, DrawnFlow, DrawnNode } from '#shared/domain/flow/edit/drawn-flow.ts'
import { onlyPort } from '#shared/domain/flow/language/flow.ts'
import { type Bend, type Box, layOutBoxes, type Placed } from './layout.ts'

/** The selection in a drawing: a node or the entry by its key, or an edge by its start; null: nothing. */
export type Chosen = { node: string } | { node: string; port: string } | null

/** The key of the entry. No node has this key. */
export const entryKey = ''

export type SceneNode = DrawnNode & Placed & { title: string }
export type SceneEdge = DrawnEdge & { path: string }
/**
 * The start of an existing or possible edge of a node. `label`: its name, if the node has several ports; `isLeft`: it is left of the middle
 * of the node.
 */
export type ScenePort = {
  node: string
  port: string
  x: number
  y: number
  isOpen: boolean
  isLeft: boolean
  label: string | null
}

/** The geometry of a drawn flow, in pixels. */
export type Scene = {
  width: number
  height: number
  /** Null: the document has no entry. */
  entry: (Placed & { title: string; path: string }) | null
  nodes: readonly SceneNode[]
  edges: readonly SceneEdge[]
  ports: readonly ScenePort[]
}

const boxHeight = 46
const entryHeight = 28
/** The maximum width of a character of a title, and of the text below it. */
const titleWidth = 7.6
const moreWidth = 6.3

/** Places the parts of a flow. @param entry the text of its entry; null: it cannot be read */
export function sceneOf(flow: DrawnFlow, entry: string | null): Scene {
  const [first] = flow.nodes
  const edges = inOrderOfPorts(flow)
  const boxes = [...(entry === null ? [] : [entryBox(entry)]), ...flow.nodes.map(boxOf)]
  const starting = entry !== null && first ? [{ from: entryKey, to: first.key }] : []
  const laid = layOutBoxes(boxes, [...starting, ...edges])
  const at = (key: string) => laid.boxes.get(key) as Placed
  const start = entry === null ? null : at(entryKey)
  return {
    width: laid.width,
    height: laid.height,
    entry: start && {
      ...start,
      title: entry ?? '',
      path: first ? pathOf({ x: start.x, y: start.y + entryHeight }, laid.bends[0] ?? [], at(first.key)) : '',
    },
    nodes: flow.nodes.map((node) => ({ ...node, ...at(node.key), title: titleOf(node) })),
    edges: edges.map((edge, n) => ({
      ...edge,
      path: pathOf(
        portPlace(nodeOf(flow, edge.from), at(edge.from), edge.port),
        laid.bends[n + starting.length] ?? [],
        at(edge.to),
      ),
    })),
    ports: flow.nodes.flatMap((node) => (node.id === null ? [] : portsOfNode(node, at(node.key), edges))),
  }
}

const nodeOf = ({ nodes }: DrawnFlow, key: string) => nodes.find((node) => node.key === key) as DrawnNode

function inOrderOfPorts({ nodes, edges }: DrawnFlow): DrawnEdge[] {
  return nodes.flatMap(({ key, ports }) =>
    edges.filter(({ from }) => from === key).sort((one, other) => ports.indexOf(one.port) - ports.indexOf(other.port)),
  )
}

function titleOf({ id, key }: DrawnNode): string {
  return id ?? `${key}, without an id`
}

/** The text below the title of a node. */
export function moreOf({ type, detail }: Pick<DrawnNode, 'type' | 'detail'>): string {
  return `${type === '' ? 'no type' : type}${detail === null ? '' : ` · ${detail}`}`
}

function boxOf(node: DrawnNode): Box {
  const width = Math.max(titleOf(node).length * titleWidth, moreOf(node).length * moreWidth) + 28
  const forPorts = node.ports.length > mostLabels ? 0 : 20 + node.ports.length * portStep(node)
  return { key: node.key, width: Math.max(144, forPorts, Math.min(240, width)), height: boxHeight }
}

function entryBox(title: string): Box {
  return { key: entryKey, width: Math.min(280, Math.max(112, title.length * moreWidth + 28)), height: entryHeight }
}

/** Nodes with more ports do not show their labels: the edges do. */
const mostLabels = 6
const longestLabel = 8

/** The distance between ports: the width of the longest label. */
function portStep({ ports }: Pick<DrawnNode, 'ports'>): number {
  return (
    Math.min(
      longestLabel,
      ...ports
        .map((port) => port.length)
        .sort((one, other) => other - one)
        .slice(0, 1),
    ) *
      moreWidth +
    18
  )
}

type Point = { x: number; y: number }

function portPlace({ ports }: DrawnNode, { x, y, width, height }: Placed, port: string): Point {
  const n = Math.max(0, ports.indexOf(port))
  const step = Math.min(portStep({ ports }), (width - 20) / Math.max(1, ports.length))
  return { x: x + (n - (ports.length - 1) / 2) * step, y: y + height }
}

const cutLabel = (port: string) => (port.length > longestLabel ? `${port.slice(0, longestLabel - 1)}…` : port)

function portsOfNode(node: DrawnNode, placed: Placed, edges: readonly DrawnEdge[]): ScenePort[] {
  return node.ports.map((port, n) => ({
    node: node.key,
    port,
    ...portPlace(node, placed, port),
    isLeft: n < (node.ports.length - 1) / 2,
    isOpen: !edges.some((edge) => edge.from === node.key && edge.port === port),
    label: port === onlyPort || node.ports.length > mostLabels ? null : cutLabel(port),
  }))
}

/** A curve from a port through its bends to the upper edge of a box. */
function pathOf(from: Point, bends: readonly Bend[], to: Placed): string {
  const points = [
    ...bends.flatMap(({ x, top, bottom }) => [
      { x, y: top },
      { x, y: bottom },
    ]),
    { x: to.x, y: to.y },
  ]
  let last = from
  let path = `M${at(from)}`
  for (const [n, point] of points.entries()) {
    const isStraight = n % 2 === 1 && n < points.length - 1
    const half = Math.max(18, Math.abs(point.y - last.y) / 2)
    path += isStraight
      ? `L${at(point)}`
      : `C${at({ x: last.x, y: last.y + half })} ${at({ x: point.x, y: point.y - half })} ${at(point)}`
    last = point
  }
  return path
}

const at = ({ x, y }: Point) => `${round(x)},${round(y)}`
const round = (value: number) => Math.round(value * 10) / 10

/** The nearest box in a direction; null: there is none. */
export function neighborBox(
  { nodes, entry }: Scene,
  key: string,
  direction: 'up' | 'down' | 'left' | 'right',
): string | null {
  const boxes: Placed[] = [...(entry ? [entry] : []), ...nodes]
  const from = boxes.find((box) => box.key === key)
  if (!from) return boxes[0]?.key ?? null
  const isAcross = direction === 'left' || direction === 'right'
  const sign = direction === 'up' || direction === 'left' ? -1 : 1
  const distances = boxes.flatMap((box) => {
    const [along, across] = isAcross
      ? [box.x - from.x, box.layer - from.layer]
      : [box.layer - from.layer, box.x - from.x]
    if (along * sign <= 0 || (isAcross && across !== 0)) return []
    return [{ key: box.key, far: isAcross ? Math.abs(along) : Math.abs(along) * 1e6 + Math.abs(across) }]
  })
  return distances.sort((one, other) => one.far - other.far)[0]?.key ?? null
}
