import type { DrawnFlow } from '#shared/domain/flow/edit/drawn-flow.ts'

/** A step that a run has taken: at which node, at which port it went on, how much its expressions did, and its time; null: not kept. */
export type WayStep = { node: string; port: string | null } & Done
type Done = { fuel: number; durationMs: number | null }

export type DoneStep = { n: number } & Done

/** The way of a run through a flow, for a drawing of it. */
export type Way = {
  /** By the keys of nodes: which step each was, from 1. */
  steps: ReadonlyMap<string, DoneStep>
  /** The edges it took, as `node port`. */
  edges: ReadonlySet<string>
  /** Where it failed; null: nowhere, or at no node. */
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

/** The nodes in the order in which a reader follows them: along the edges from the first one, then those that none leads to. */
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
