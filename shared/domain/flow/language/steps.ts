import type { Helpers } from '../../expression/check.ts'
import { membersRead } from '../../expression/children.ts'
import type { FlowNode } from './flow.ts'
import { type Edges, nodesBefore } from './graph.ts'
import type { FoundNode } from './nodes.ts'
import type { FlowExpression } from './properties.ts'
import { Place } from './read-value.ts'

/** Reports steps that expressions and helpers name wrongly: steps of unknown nodes, and steps that cannot have run before. */
export function checkSteps(
  root: Place,
  { nodes, edges, helpers }: { nodes: readonly FoundNode[]; edges: Edges; helpers: Helpers },
): void {
  const ids = nodes.map(({ id }) => id)
  const before = nodesBefore(edges)
  for (const { body } of helpers.values())
    for (const { key, at } of membersRead(body, 'steps')) addUnknown(root.at('helpers'), { key, at, ids })
  for (const { id, node, place } of nodes) {
    for (const { node: expression, pointer } of node ? expressionsOf(node) : []) {
      const there = new Place(place.reading, pointer)
      for (const { key, at } of membersRead(expression, 'steps')) {
        if (!ids.includes(key)) addUnknown(there, { key, at, ids })
        else if (!before.get(id)?.has(key))
          there.warning(
            'UNKNOWN_STEP',
            `reads steps.${key}, which is null here: "${key}" never runs before "${id}"`,
            at,
          )
      }
    }
  }
}

function addUnknown(place: Place, { key, at, ids }: { key: string; at: number; ids: readonly string[] }): void {
  if (ids.includes(key)) return
  place.error('UNKNOWN_STEP', `there is no node ${JSON.stringify(key)}${place.hint(key, ids)}`, at)
}

/** The expressions of a node. */
export function expressionsOf(node: FlowNode): FlowExpression[] {
  return Object.values(node).flatMap((value): FlowExpression[] => {
    if (value instanceof Map) return [...value.values()]
    if (Array.isArray(value)) return value.flatMap((entry) => (typeof entry === 'object' ? [entry.when] : []))
    return typeof value === 'object' && value !== null ? [value as FlowExpression] : []
  })
}
