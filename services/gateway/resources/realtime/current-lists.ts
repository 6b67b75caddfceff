import { createExclusive } from '#shared/admission/exclusive.ts'
import type { ListCache, ListConfig } from '../lists/list-cache.ts'

/** The settings of an account's list, at some time after the call. */
export type CurrentLists = (accountId: string, listId: string) => Promise<ListConfig | null>

/**
 * Many streams are sent one event at the same time. Those that ask for a list before a read of it begins share this read, and the next
 * begins when it has ended: no caller gets what was read before its request, when a guard may have been missing.
 */
export function createCurrentLists(lists: ListCache): CurrentLists {
  const waiting = new Map<string, Promise<ListConfig | null>>()
  const exclusive = createExclusive()

  async function readInTurn(key: string, accountId: string, listId: string): Promise<ListConfig | null> {
    using _section = await exclusive([key])
    waiting.delete(key)
    return await readCurrent(lists, accountId, listId)
  }

  return (accountId, listId) => {
    const key = `${accountId}/${listId}`
    const joined = waiting.get(key)
    if (joined) return joined
    const next = readInTurn(key, accountId, listId)
    waiting.set(key, next)
    return next
  }
}

async function readCurrent(lists: ListCache, accountId: string, listId: string): Promise<ListConfig | null> {
  const config = await lists.get(accountId, listId)
  if (!config || (await lists.isCurrent(accountId, listId, config))) return config
  lists.drop(accountId, listId, config)
  return lists.get(accountId, listId)
}
