import { AppError, validationFailed } from '#shared/errors.ts'
import { aliasTaken } from '../../item/alias-taken.ts'
import { visibleErrors } from '../../item/guard.ts'
import { indexValues, unreachableAliases } from '../../item/index-value.ts'
import type { Flow } from '../language/flow.ts'
import type { FlowFailed, FlowRejection, FlowWrite } from '../run/driver.ts'
import { rejectionOf, unfitItem } from '../run/failure.ts'
import type { ItemsInMemory } from './items-in-memory.ts'

/**
 * Applies the writes of a run to items in memory, all or nothing, by the rules of items: readonly, locked, size, schema and indexes.
 * @returns how the run failed, if it did
 */
export function writeInMemory(writes: readonly FlowWrite[], lists: Lists, rules: Rules): FlowFailed | null {
  const before = writes.map(({ list, itemId }) => [list, itemId, lists.get(list)?.get(itemId) ?? null] as const)
  for (const { list, itemId, after } of writes) lists.get(list)?.set(itemId, after)
  const failed = firstBroken(writes, lists, rules) ?? firstAliasTaken(writes, lists)
  if (failed) for (const [list, id, item] of before) lists.get(list)?.set(id, item)
  return failed
}

type Lists = ReadonlyMap<string, ItemsInMemory>

function firstBroken(writes: readonly FlowWrite[], lists: Lists, rules: Rules): FlowFailed | null {
  for (const write of writes) {
    const items = lists.get(write.list)
    const broken = items && brokenRule(write, items, rules)
    if (broken) return { kind: 'failed', ...broken, node: write.node }
  }
  return null
}

/** The first alias conflict, as a commit finds it after all other rules hold: first between two changes, then with an unchanged item. */
function firstAliasTaken(writes: readonly FlowWrite[], lists: Lists): FlowFailed | null {
  const aliases = writes.flatMap(({ list, after, node }) => {
    const alias = after && lists.get(list)?.aliasOf(after)
    return alias ? [{ list, alias, node }] : []
  })
  const changed = new Set(writes.map(({ itemId }) => itemId))
  const seen = new Set<string>()
  const taken =
    aliases.find(({ list, alias }) => seen.size === seen.add(`${list} ${alias}`).size) ??
    aliases.find(({ list, alias }) => lists.get(list)?.hasAlias(alias, { except: changed }))
  if (!taken) return null
  return { kind: 'failed', ...rejectionOf(new AppError('ITEM_ALIAS_TAKEN', aliasTaken(taken.alias))), node: taken.node }
}

type Rules = { flow: Pick<Flow, 'nodes'>; maxItemBytes: number }

/**
 * The guarded values that the failure of a change must not mention: all that the item may have had before, unless the last node that
 * changed it sees them. This includes values that the run has set; otherwise the failure would reveal whether the item already had the same
 * value.
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

/** The first rule that a change breaks, except for alias conflicts. */
function brokenRule(write: FlowWrite, items: ItemsInMemory, { flow, maxItemBytes }: Rules): FlowRejection | null {
  const { before, after } = write
  const { list, schemaErrors, indexes, guards } = items.of
  if (list.readonly) return rejectionOf(new AppError('LIST_READONLY'))
  if (before?.locked) return rejectionOf(new AppError('ITEM_LOCKED'))
  if (before?.readonly) return rejectionOf(new AppError('ITEM_READONLY'))
  if (after === null) return null
  if (write.sentBytes > maxItemBytes) return rejectionOf(new AppError('PAYLOAD_TOO_LARGE'))
  const data = JSON.parse(after.data)
  const [unfit] = visibleErrors(schemaErrors?.(data, after.data) ?? [], hiddenFrom(flow, write, guards))
  if (unfit) return unfitItem(unfit)
  const errors = [...indexValues(indexes, data).errors, ...unreachableAliases(indexes, data, before?.data)]
  return errors.length > 0 ? rejectionOf(validationFailed(errors)) : null
}
