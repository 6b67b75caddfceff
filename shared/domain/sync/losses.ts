import { indexLosses, type Loss, listLosses } from '../use/losses.ts'
import type { Change } from './change.ts'
import type { PlannedList } from './list-plan.ts'
import type { SyncPlan } from './schema-sync.ts'
import { isWrite } from './writes.ts'

/** What one change of a plan takes away; `key` is that of the change. */
export type ChangeLosses = { key: string; losses: Loss[] }

/** By what a change is found among those of its plan, before and after it was applied. */
export function changeKey({ list, index = '' }: Pick<Change, 'list' | 'index'>): string {
  return `${list}/${index}`
}

/** What the changes of a plan take away; those that take nothing are left out. It yields after each list: a plan may have many. */
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
