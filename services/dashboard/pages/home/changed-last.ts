import type { List } from '#client/src/types/resources.ts'
import type { AccountStats } from '#client/src/types/user-resources.ts'

/** The number of lists that are shown. */
export const mostLists = 10

/** A list, and the ISO time of the last change to it, its items, or its indexes. */
export type ChangedList = { list: List; changedAt: string }

/** Lists, last changed first. @param changes times from the event log for some of them, which may be later than those of the lists */
export function changedLast(lists: readonly List[], changes: AccountStats['lists']): ChangedList[] {
  const changedAt = new Map(changes.map(({ id, changedAt }) => [id, changedAt]))
  const all = lists.map((list) => {
    const [latest = list.updatedAt] = [list.updatedAt, changedAt.get(list.id) ?? ''].sort().reverse()
    return { list, changedAt: latest }
  })
  return all.sort((one, other) => (one.changedAt < other.changedAt ? 1 : -1)).slice(0, mostLists)
}
