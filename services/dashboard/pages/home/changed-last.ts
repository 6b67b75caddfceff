import type { List } from '#client/src/types/resources.ts'
import type { AccountStats } from '#client/src/types/user-resources.ts'

/** Lists that are shown. */
export const mostLists = 10

/** A list, and when it, an item or an index of it was changed last, as an ISO time. */
export type ChangedList = { list: List; changedAt: string }

/** Lists with what was changed last first. @param changes what the event log tells of some of them, which may be later than a change of theirs */
export function changedLast(lists: readonly List[], changes: AccountStats['lists']): ChangedList[] {
  const changedAt = new Map(changes.map(({ id, changedAt }) => [id, changedAt]))
  const all = lists.map((list) => {
    const [latest = list.updatedAt] = [list.updatedAt, changedAt.get(list.id) ?? ''].sort().reverse()
    return { list, changedAt: latest }
  })
  return all.sort((one, other) => (one.changedAt < other.changedAt ? 1 : -1)).slice(0, mostLists)
}
