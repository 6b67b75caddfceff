import type { NodeType } from '../language/properties.ts'
import type { DrawnFlow } from './drawn-flow.ts'

/** Names from the account for new nodes: the path name of a list, the id of a webhook; null: the account has none. */
export type NewNames = { list: string | null; webhook: string | null }

/** The initial properties of a new node: those that its type requires, so that the node is valid from the start. */
const beginnings: Record<NodeType, (names: { list: string; webhook: string }) => Readonly<Record<string, unknown>>> = {
  require: () => ({ when: 'true', message: 'This is not allowed.' }),
  condition: () => ({ when: 'true' }),
  switch: () => ({ cases: [{ when: 'true', port: 'first' }] }),
  compute: () => ({ value: 'null' }),
  'get-item': ({ list }) => ({ list, item: 'input.id' }),
  'list-items': ({ list }) => ({ list }),
  'create-item': ({ list }) => ({ list, data: '{}' }),
  'update-item': ({ list }) => ({ list, item: 'input.id', merge: '{}' }),
  'delete-item': ({ list }) => ({ list, item: 'input.id' }),
  emit: ({ webhook }) => ({ webhooks: [webhook], payload: '{}' }),
  respond: () => ({ status: 200 }),
}

/** Why a node of a type cannot be created; null: it can. */
export function cannotBegin(type: NodeType, { list, webhook }: NewNames): string | null {
  if (type === 'emit') return webhook === null ? 'there is no webhook yet' : null
  return type.endsWith('-item') || type === 'list-items' ? (list === null ? 'there is no list yet' : null) : null
}

/** A new node of a type, with an unused id. */
export function newNode(
  flow: DrawnFlow,
  type: NodeType,
  { list, webhook }: NewNames,
): Record<string, unknown> & { id: string } {
  return { id: freeId(flow, type), type, ...beginnings[type]({ list: list ?? '', webhook: webhook ?? '' }) }
}

function freeId({ nodes }: DrawnFlow, type: NodeType): string {
  const taken = new Set(nodes.map(({ id }) => id))
  const word = type.replaceAll('-', '_')
  for (let n = 1; ; n++) {
    const id = n === 1 ? word : `${word}_${n}`
    if (!taken.has(id)) return id
  }
}
