import { isItemFilter, isItemOrder } from '../item/filters.ts'
import { whereBounds } from '../item/questions/where.ts'
import { indexKey } from '../list/index-names.ts'
import { isPathName, pathNameKey } from '../path-name.ts'
import type { Use, UseKind } from '../use/use.ts'
import { distinctUses } from '../use/use.ts'
import type { Flow, FlowNode, NodeOf } from './language/flow.ts'
import { writtenConditions } from './language/where-names.ts'

type ListNode = Extract<FlowNode, { list: string }>

/** The lists, indexes and webhooks that the nodes of a flow use, without duplicates. Stored with the flow, so that changes of them find the flow. */
export function usesOf({ nodes }: Pick<Flow, 'nodes'>): Use[] {
  return distinctUses(
    [...nodes.values()].flatMap((node): Use[] => {
      if (node.type === 'emit') return node.webhooks.map((id) => ({ kind: 'webhook', list: '', name: id }))
      return 'list' in node ? usesOfList(node) : []
    }),
  )
}

function usesOfList(node: ListNode): Use[] {
  const list = pathNameKey(node.list)
  const isChange = node.type !== 'get-item' && node.type !== 'list-items'
  const kinds: UseKind[] = [
    'list',
    ...(isChange ? (['write'] as const) : []),
    ...(node.guarded ? [] : (['read'] as const)),
    ...('item' in node ? (['alias'] as const) : []),
  ]
  const whole = kinds.map((kind): Use => ({ kind, list, name: '' }))
  return node.type === 'list-items' ? [...whole, ...usesOfPage(list, node)] : whole
}

function usesOfPage(list: string, { where, order }: NodeOf<'list-items'>): Use[] {
  const { written, isOpen } = writtenConditions(where)
  // A run with more conditions fails.
  const conditions = written.slice(0, whereBounds.leaves).flatMap(({ name }) => useOfCondition(list, name))
  const ofOrder = order !== null && !isItemOrder(order) ? named('order', list, order) : []
  return [...conditions, ...(isOpen ? [{ kind: 'any-filter', list, name: '' } as const] : []), ...ofOrder]
}

function useOfCondition(list: string, name: string): Use[] {
  if (name === 'alias' || name === 'search') return [{ kind: name, list, name: '' }]
  return isItemFilter(name) ? [] : named('filter', list, name)
}

/** The use of an index, if an index can have this name. */
function named(kind: UseKind, list: string, index: string): Use[] {
  const name = indexKey(index)
  return isPathName(name) ? [{ kind, list, name }] : []
}
