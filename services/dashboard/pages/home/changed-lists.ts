import type { List } from '#client/src/types/resources.ts'
import type { AccountStats } from '#client/src/types/user-resources.ts'
import { account, client } from '../../api/client.ts'
import { toListdError } from '../../api/errors.ts'
import { type ChangedList, changedLast, mostLists } from './changed-last.ts'

/** The recently changed lists, and the statistics of the account's last hours. @throws ListdError */
export async function readChangedLists(signal: AbortSignal): Promise<{ stats: AccountStats; lists: ChangedList[] }> {
  const [stats, page] = await Promise.all([
    account.stats({ signal }),
    client.lists.all({ order: 'updatedAt', direction: 'desc', limit: mostLists, signal }).page(1),
  ])
  const missing = stats.lists.filter(({ id }) => !page.data.some((list) => list.id === id))
  const others = await Promise.all(missing.map(({ id }) => findList(id, signal)))
  return { stats, lists: changedLast([...page.data, ...others.filter((list) => list !== null)], stats.lists) }
}

/** Null: it was deleted meanwhile. */
async function findList(id: string, signal: AbortSignal): Promise<List | null> {
  try {
    return await client.lists.get(id, { signal })
  } catch (failure) {
    if (toListdError(failure).status === 404) return null
    throw failure
  }
}
