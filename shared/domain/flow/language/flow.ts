import type { Helpers } from '../../expression/check.ts'
import type { endpointProperties, NodeType, nodeProperties, ValuesOf } from './properties.ts'

/** A document without errors, ready to be run. */
export type Flow = {
  name: string
  description: string | null
  entry: FlowEntry
  helpers: Helpers
  /** By their ids, in the order of the document. */
  nodes: ReadonlyMap<string, FlowNode>
  /** The id of the first node. */
  start: string
  /** Of each node, by port, the node that follows. The port of a node that has one is `next`. */
  edges: ReadonlyMap<string, ReadonlyMap<string, string>>
  /** The keys (`pathNameKey`) of the lists that it names, each once. */
  lists: readonly string[]
  /** The ids of the webhooks that it names, each once. */
  webhooks: readonly string[]
}

/** What starts a run. `input` is the source text of a JSON Schema. */
export type FlowEntry = ValuesOf<typeof endpointProperties>

/** A node, by its type. */
export type FlowNode = { [Type in NodeType]: NodeOf<Type> }[NodeType]

export type NodeOf<Type extends NodeType> = { id: string; type: Type } & ValuesOf<(typeof nodeProperties)[Type]>

/** The port of a node that has one. */
export const onlyPort = 'next'

/** By what paths of flows are compared: without regard to case. */
export function flowPathKey(path: string): string {
  return path.toLowerCase()
}

/** The names of values that the expressions of every node may use. */
export const runNames = ['input', 'identity', 'token', 'steps', 'now', 'flow'] as const
/** Those that exist below `each` alone. */
export const eachNames = ['item', 'index'] as const
