import { createExclusive } from '#shared/admission/exclusive.ts'
import type { ListCache, ListConfig } from '../lists/list-cache.ts'

/** The settings of an account's list, at some time after the call. */
export type CurrentLists = (accountId: string, listId: string) => Promise<ListConfig | null>

/**
 * Many streams get the same event at the same time. Callers that request a list before a read of it begins share that read; the next read
 * begins after it. So no caller gets settings that were read before its request, in which a guard may be missing.
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
