import type { Helpers } from '../../expression/check.ts'
import type { endpointProperties, NodeType, nodeProperties, ValuesOf } from './properties.ts'

/** A document without errors, ready to run. */
export type Flow = {
  name: string
  description: string | null
  entry: FlowEntry
  helpers: Helpers
  /** By id, in the order of the document. */
  nodes: ReadonlyMap<string, FlowNode>
  /** The id of the first node. */
  start: string
  /** For each node, the next node by port. A node with only one port calls it `next`. */
  edges: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The keys (`pathNameKey`) of the lists that it names, without duplicates. */
  lists: readonly string[]
  /** The ids of the webhooks that it names, without duplicates. */
  webhooks: readonly string[]
}

/** How a run is started. `input` is the source text of a JSON Schema. */
export type FlowEntry = ValuesOf<typeof endpointProperties>

/** A node, by its type. */
export type FlowNode = { [Type in NodeType]: NodeOf<Type> }[NodeType]

export type NodeOf<Type extends NodeType> = { id: string; type: Type } & ValuesOf<(typeof nodeProperties)[Type]>

/** The port of a node that has only one. */
export const onlyPort = 'next'

/** The key by which paths of flows are compared: ignores case. */
export function flowPathKey(path: string): string {
  return path.toLowerCase()
}

/** The names of the values that expressions of every node may use. */
export const runNames = ['input', 'identity', 'token', 'steps', 'now', 'flow'] as const
/** The names that exist only below `each`. */
export const eachNames = ['item', 'index'] as const
