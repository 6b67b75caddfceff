import { indexLosses, type Loss, listLosses } from '../use/losses.ts'
import type { Change } from './change.ts'
import type { PlannedList } from './list-plan.ts'
import type { SyncPlan } from './schema-sync.ts'
import { isWrite } from './writes.ts'

/** The losses of one change of a plan; `key` is that of the change. */
export type ChangeLosses = { key: string; losses: Loss[] }

/** The key of a change within its plan, before and after it is applied. */
export function changeKey({ list, index = '' }: Pick<Change, 'list' | 'index'>): string {
  return `${list}/${index}`
}

/** The losses of the changes of a plan, without changes that have none. Yields after each list, because a plan may have many. */
export function* planLosses({ lists, deletedLists }: SyncPlan): Generator<undefined, ChangeLosses[]> {
  const found: ChangeLosses[] = []
  const add = (change: Change, losses: () => Loss[]) => {
    const own = isWrite(change) ? losses() : []
    if (own.length > 0) found.push({ key: changeKey(change), losses: own })
  }
  for (const list of lists) {
    addOfList(list, add)
    yield
  }
  for (const { change, current } of deletedLists) add(change, () => listLosses(current, null))
  return found
}

function addOfList(
  { change, current, after, indexes, deletedIndexes }: PlannedList,
  add: (change: Change, losses: () => Loss[]) => void,
): void {
  const { list } = change
  add(change, () => (current ? listLosses(current, { ...current, ...after }) : []))
  for (const { change: own, pathName, current: before, after: settings } of indexes) {
    const stays = { pathName, activated: before?.activated ?? true }
    add(own, () => indexLosses(list, { before, after: { ...settings, ...stays } }))
  }
  for (const { change: own, current: before } of deletedIndexes)
    add(own, () => indexLosses(list, { before, after: null }))
}
