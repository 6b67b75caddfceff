import type { ReadProof } from '#shared/data/items/commit/read-proofs.ts'
import type { ItemChange } from '#shared/data/items/item-change.ts'
import type { FlowFailed, FlowRead, FlowWrite } from '#shared/domain/flow/run/driver.ts'
import { rejectionOf } from '#shared/domain/flow/run/failure.ts'
import { hiddenFrom } from '#shared/domain/flow/tests/write-rules.ts'
import { isId } from '#shared/domain/id.ts'
import { visibleErrors } from '#shared/domain/item/guard.ts'
import { laterThan } from '#shared/domain/later-than.ts'
import { noWords } from '#shared/domain/search/item-words.ts'
import { AppError } from '#shared/errors.ts'
import { createTimeSlices } from '#shared/time/time-slices.ts'
import { toChange } from '../../items/writing/commit-item.ts'
import { markArrayIndexes } from '../../items/writing/mark-array-indexes.ts'
import { assertChangeAllowed } from '../../items/writing/modify-item.ts'
import { validateItemData } from '../../items/writing/validate-item-data.ts'
import type { ListConfig } from '../../lists/list-cache.ts'
import type { FlowDeps, FlowLists, RunContext } from './context.ts'

/**
 * The changes that a run commits, checked by the rules for every change of an item.
 * @returns the failure of the run if one of them breaks a rule
 * @throws Conflict; SERVICE_UNAVAILABLE
 */
export async function changesOf(
  deps: FlowDeps,
  writes: readonly FlowWrite[],
  context: RunContext & { lists: FlowLists },
): Promise<ItemChange[] | FlowFailed> {
  const pause = createTimeSlices()
  const changes: ItemChange[] = []
  for (const write of writes) {
    await pause()
    const config = configOf(context.lists, write.list)
    try {
      changes.push(await changeOf(deps, config, { ...context, write }))
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      return failedAt(write.node, error)
    }
  }
  return changes
}

/** Calls `markArrayIndexes` for the changes of a run in all its lists. @throws Conflict: the run is then computed again */
export async function markAllArrayIndexes(
  deps: FlowDeps,
  changes: readonly ItemChange[],
  lists: FlowLists,
): Promise<void> {
  const changed = new Set(changes.map(({ list }) => list.id))
  for (const config of lists.values()) {
    if (!changed.has(config.list.id)) continue
    const ofList = changes.filter(({ list }) => list.id === config.list.id)
    await markArrayIndexes(deps, config, ofList)
  }
}

async function changeOf(
  deps: FlowDeps,
  config: ListConfig,
  { write, flow, principal, requestId }: RunContext & { write: FlowWrite },
): Promise<ItemChange> {
  const { before, after } = write
  if (before) assertChangeAllowed(config, before, { principal })
  else if (config.list.readonly) throw new AppError('LIST_READONLY')
  if (before?.readonly) throw new AppError('ITEM_READONLY')
  const at = after?.updatedAt ?? (before ? laterThan(before, deps.now()) : deps.now())
  const of = { principal, requestId, before, after, at }
  if (!after) return toChange(deps, config, { ...of, indexValues: [], words: noWords })
  const { indexValues, words } = await validateItemData(deps, config, {
    data: after.data,
    value: JSON.parse(after.data),
    stored: before?.data,
    visibleErrors: (errors) => visibleErrors(errors, hiddenFrom(flow, write, config.guards)),
    sentBytes: write.sentBytes,
    limits: principal.limits,
  })
  return toChange(deps, config, { ...of, indexValues, words })
}

/** The end of a run at a node whose change breaks a rule of items; its code is the name of the rule. */
export function failedAt(node: string, error: AppError): FlowFailed {
  return { kind: 'failed', ...rejectionOf(error), node }
}

/** A proof, and the read that it proves. */
export type ProofOfRead = { proof: ReadProof; read: FlowRead }

/**
 * The proofs of what a run has read and not changed, which its commit checks. A run that only reads one item needs none: a single read
 * is always consistent. An item that was not found by a text that may be an id was not found by an alias either.
 */
export function proofsOf(
  { reads, writes, isAlone }: { reads: readonly FlowRead[]; writes: readonly FlowWrite[]; isAlone: boolean },
  lists: FlowLists,
): ProofOfRead[] {
  if (isAlone && reads.length <= 1) return []
  const changed = new Set(writes.map(({ itemId }) => itemId))
  return reads
    .filter(({ item }) => !item || !changed.has(item.id))
    .flatMap((read) => proofsOfRead(read, configOf(lists, read.list)).map((proof) => ({ proof, read })))
}

function proofsOfRead({ ref, item }: FlowRead, { list: { id: listId }, aliasIndex }: ListConfig): ReadProof[] {
  if (item) return [{ listId, itemId: item.id, revision: item.revision }]
  return [
    ...(isId(ref) ? [{ listId, itemId: ref, revision: null }] : []),
    ...(aliasIndex ? [{ listId, alias: ref, valuesId: aliasIndex.valuesId }] : []),
  ]
}

function configOf(lists: FlowLists, key: string): ListConfig {
  const config = lists.get(key)
  if (!config) throw new TypeError(`A run names the list ${key}, which was not passed to it.`)
  return config
}
