import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import type { Place } from '#shared/json/text/place.ts'
import { type Chosen, entryKey } from './scene.ts'

/** A finding in a text, at an offset. */
export type Found = { from: number; message: string; severity: 'error' | 'warning' }

/** The findings in a document, by node. A finding about an edge belongs to the node at which the edge begins. */
export function findingsOn(flow: DrawnFlow, findings: readonly Found[]): ReadonlyMap<string, readonly Found[]> {
  const on = new Map<string, Found[]>()
  for (const finding of findings) {
    const at = chosenAt(flow, finding.from)
    if (at) on.set(at.node, [...(on.get(at.node) ?? []), finding])
  }
  return on
}

/** The node or edge at an offset of the text; null: none. */
export function chosenAt({ entry, nodes, edges }: DrawnFlow, at: number): Chosen {
  const isIn = ({ from, to }: Place) => from <= at && at <= to
  const node = nodes.find(({ place }) => isIn(place))
  if (node) return { node: node.key }
  const edge = edges.find(({ place }) => isIn(place))
  if (edge) return { node: edge.from, port: edge.port }
  return entry && isIn(entry) ? { node: entryKey } : null
}

/** The part of the text that defines a node or edge; null: it no longer exists. */
export function placeOfChosen({ entry, nodes, edges }: DrawnFlow, chosen: Chosen): Place | null {
  if (!chosen) return null
  if ('port' in chosen)
    return edges.find(({ from, port }) => from === chosen.node && port === chosen.port)?.place ?? null
  return chosen.node === entryKey ? entry : (nodes.find(({ key }) => key === chosen.node)?.place ?? null)
}
