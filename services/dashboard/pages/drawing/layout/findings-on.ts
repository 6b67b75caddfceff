import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'
import type { Place } from '#shared/json/text/place.ts'
import { type Chosen, entryKey } from './scene.ts'

/** Something that was found in a text, at an offset. */
export type Found = { from: number; message: string; severity: 'error' | 'warning' }

/** What was found in a document, by the node it is about: that of an edge is about the node that it begins at. */
export function findingsOn(flow: DrawnFlow, findings: readonly Found[]): ReadonlyMap<string, readonly Found[]> {
  const on = new Map<string, Found[]>()
  for (const finding of findings) {
    const at = chosenAt(flow, finding.from)
    if (at) on.set(at.node, [...(on.get(at.node) ?? []), finding])
  }
  return on
}

/** What of a drawing stands at an offset of the text; null: nothing. */
export function chosenAt({ entry, nodes, edges }: DrawnFlow, at: number): Chosen {
  const isIn = ({ from, to }: Place) => from <= at && at <= to
  const node = nodes.find(({ place }) => isIn(place))
  if (node) return { node: node.key }
  const edge = edges.find(({ place }) => isIn(place))
  if (edge) return { node: edge.from, port: edge.port }
  return entry && isIn(entry) ? { node: entryKey } : null
}

/** Where something of a drawing stands in the text; null: it is gone. */
export function placeOfChosen({ entry, nodes, edges }: DrawnFlow, chosen: Chosen): Place | null {
  if (!chosen) return null
  if ('port' in chosen)
    return edges.find(({ from, port }) => from === chosen.node && port === chosen.port)?.place ?? null
  return chosen.node === entryKey ? entry : (nodes.find(({ key }) => key === chosen.node)?.place ?? null)
}
