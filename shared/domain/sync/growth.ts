import { pathNameKey } from '../path-name.ts'
import { assertWithin } from '../plan/limit-exceeded.ts'
import type { Change } from './change.ts'
import type { SyncPlan } from './schema-sync.ts'
import type { CurrentList } from './state.ts'

/** How many lists a plan adds to an account; negative: it removes more than it adds. */
export function listGrowth({ lists, deletedLists }: SyncPlan): number {
  return lists.filter(({ change }) => isCreation(change)).length - deletedLists.length
}

/**
 * Rejects a plan by which a list would have more indexes than the account's price plan allows.
 * @param current the lists that the plan was computed from, by path key
 * @throws MAX_INDEXES_EXCEEDED
 */
export function assertIndexesWithin(
  { lists }: SyncPlan,
  current: ReadonlyMap<string, CurrentList>,
  max: number | null,
): void {
  if (max === null) return
  for (const { change, indexes, deletedIndexes } of lists) {
    const added = indexes.filter((index) => isCreation(index.change)).length - deletedIndexes.length
    const count = current.get(pathNameKey(change.list))?.indexes.length ?? 0
    assertWithin('maxIndexesPerList', { count, added, max })
  }
}

const isCreation = ({ action }: Change) => action === 'create'
