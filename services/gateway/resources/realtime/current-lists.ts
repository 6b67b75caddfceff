import { type ListCache, type ListConfig, ruledList } from '../lists/list-cache.ts'

/** The settings of an account's lists, as they are now. */
export type CurrentLists = (accountId: string, listId: string) => Promise<ListConfig | null>

/** For how long settings that were found current are not asked about again: many streams are sent one event at the same time. */
const currentMs = 200

type Checked = { at: number; config: Promise<ListConfig | null> }

/** @param options.now a monotonic clock in milliseconds */
export function createCurrentLists({ lists, now }: { lists: ListCache; now(): number }): CurrentLists {
  const checked = new Map<string, Checked>()

  return (accountId, listId) => {
    const at = now()
    for (const [key, { at: since }] of checked) if (at - since >= currentMs) checked.delete(key)
    const key = `${accountId}/${listId}`
    const known = checked.get(key)
    if (known) return known.config
    const config = readCurrent(lists, accountId, listId)
    checked.set(key, { at, config })
    config.catch(() => checked.delete(key))
    return config
  }
}

async function readCurrent(lists: ListCache, accountId: string, listId: string): Promise<ListConfig | null> {
  const config = await lists.get(accountId, listId)
  if (!config || (await lists.isCurrent(accountId, listId, config))) return config
  lists.drop(accountId, listId, config)
  return lists.get(accountId, listId)
}

/** What of a list's settings decides what a token sees of its items: where it changes, something may have left the view. */
export function viewOf({ list, indexes, guards }: ListConfig): string {
  const ruled = ruledList({ list, indexes }).indexes
  const usable = ruled.map(({ id, pointer, valueType, activated }) => [id, pointer, valueType, activated])
  return JSON.stringify([list.activated, guards, usable])
}
