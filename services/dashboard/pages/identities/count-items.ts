import { client } from '../../api/client.ts'

/** The number of items that an identity owns, by list. Lists without any are left out. */
export type Owned = { lists: readonly { pathName: string; items: number }[]; total: number; isAtLeast: boolean }

const mostLists = 200

/** Counts in the first two hundred lists, one after another. Each count is read from an index. */
export async function countOwned(identityId: string, signal?: AbortSignal): Promise<Owned> {
  const lists: { pathName: string; items: number }[] = []
  let [looked, isAtLeast] = [0, false]
  for await (const { pathName, itemCount } of client.lists.all({ order: 'name', direction: 'asc', signal })) {
    if (itemCount === 0) continue
    if (looked++ === mostLists) return { lists, total: sum(lists), isAtLeast: true }
    const where = { identityId }
    const found = await client.list(pathName).items({ where, includeData: false, signal }).total()
    isAtLeast ||= found.isAtLeast
    if (found.total > 0) lists.push({ pathName, items: found.total })
  }
  return { lists, total: sum(lists), isAtLeast }
}

const sum = (lists: readonly { items: number }[]) => lists.reduce((total, { items }) => total + items, 0)
