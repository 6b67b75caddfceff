import { AppError, type ErrorName } from '#shared/errors.ts'
import { toldErrors } from '../item/guard.ts'
import type { FlowFailed, FlowWrite } from './driver.ts'
import { unfitItem } from './failure.ts'
import type { Flow } from './flow.ts'
import type { ItemsInMemory } from './items-in-memory.ts'

/**
 * Writes what a run ends with to items in memory, all of it or nothing, by the rules that hold for items: readonly, locked, size,
 * schema and alias.
 * @returns how the run failed, if it did
 */
export function writeInMemory(
  writes: readonly FlowWrite[],
  lists: ReadonlyMap<string, ItemsInMemory>,
  rules: Rules,
): FlowFailed | null {
  const before = writes.map(({ list, itemId }) => [list, itemId, lists.get(list)?.get(itemId) ?? null] as const)
  for (const { list, itemId, after } of writes) lists.get(list)?.set(itemId, after)
  for (const write of writes) {
    const items = lists.get(write.list)
    const broken = items && brokenRule(write, items, rules)
    if (!broken) continue
    for (const [list, id, item] of before) lists.get(list)?.set(id, item)
    return broken
  }
  return null
}

type Rules = { flow: Pick<Flow, 'nodes'>; maxItemBytes: number }

/**
 * Which of the guarded values of a list a failure of a change does not tell about: all that the item may have had before, unless the
 * node that changed it last sees them. Also of one that the run has set: or the failure would tell whether the item had the same.
 */
export function hiddenFrom(
  { nodes }: Pick<Flow, 'nodes'>,
  { before, node }: FlowWrite,
  guards: readonly string[],
): readonly string[] {
  const last = nodes.get(node)
  const sees = last !== undefined && 'guarded' in last && last.guarded
  return before === null || sees ? [] : guards
}

/** The first rule that a change breaks, of items as they are after all changes. */
function brokenRule(write: FlowWrite, items: ItemsInMemory, { flow, maxItemBytes }: Rules): FlowFailed | null {
  const { before, after, node } = write
  if (items.of.list.readonly) return failed('LIST_READONLY', node)
  if (before?.locked) return failed('ITEM_LOCKED', node)
  if (before?.readonly) return failed('ITEM_READONLY', node)
  if (after === null) return null
  if (after.size > maxItemBytes) return failed('PAYLOAD_TOO_LARGE', node)
  const errors = items.of.schemaErrors?.(JSON.parse(after.data)) ?? []
  const [error] = toldErrors(errors, hiddenFrom(flow, write, items.of.guards))
  if (error) return unfitItem(node, error)
  const alias = items.aliasOf(after)
  const isTaken = alias !== null && items.hasTwin(alias, after.id)
  return isTaken ? failed('ITEM_ALIAS_TAKEN', node) : null
}

function failed(name: ErrorName, node: string): FlowFailed {
  const { status, message } = new AppError(name)
  return { kind: 'failed', code: name, status, message, node }
}
