import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'

/** A step of a run: its node, the port at which the run continued, the steps of its expressions, and its time; null: not stored. */
export type WayStep = { node: string; port: string | null } & Done
type Done = { fuel: number; durationMs: number | null }

export type DoneStep = { n: number } & Done

/** The path of a run through a flow, for its drawing. */
export type Way = {
  /** The steps by the key of their node, numbered from 1. */
  steps: ReadonlyMap<string, DoneStep>
  /** The edges that the run took, as `node port`. */
  edges: ReadonlySet<string>
  /** The node at which it failed; null: it did not fail, or not at a node. */
  failedAt: string | null
}

/** @param steps in their order; a run visits no node twice */
export function wayOf(steps: readonly WayStep[], failedAt: string | null): Way {
  return {
    steps: new Map(steps.map(({ node, fuel, durationMs }, n) => [node, { n: n + 1, fuel, durationMs }])),
    edges: new Set(steps.flatMap(({ node, port }) => (port === null ? [] : [`${node} ${port}`]))),
    failedAt,
  }
}

/** The nodes in reading order: along the edges from the first one, then those that no edge goes to. */
export function readingOrder({ nodes, edges }: DrawnFlow): string[] {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    const ports = nodes.find((node) => node.key === key)?.ports ?? []
    const following = edges.filter(({ from }) => from === key)
    for (const port of ports) for (const edge of following) if (edge.port === port) visit(edge.to)
  }
  for (const { key } of nodes) visit(key)
  return [...seen]
}
