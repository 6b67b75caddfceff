import type { Index } from '../../../../client/src/resources.ts'
import { client } from '../../api/client.ts'
import { type Resource, refresh, useResource } from '../../api/resource.ts'
import { listKey } from '../lists/list-page.tsx'
import { type ItemText, readItem } from './item-text.ts'

/** What is read about the items of a list begins with this. */
export const itemsKey = (list: string) => `items ${list} `

/** After an item was written: what shows items of the list, or counts them, reads them again. */
export function refreshItems(list: string): void {
  refresh(itemsKey(list))
  refresh(listKey(list))
}

/** @param name the id of an item, or its alias, as the address has it */
export function useItem(list: string, name: string): Resource<ItemText> {
  return useResource(`${itemsKey(list)}one ${name}`, (signal) =>
    client.list(list).get(name, { signal }).text().then(readItem),
  )
}

/** The indexes that say how an item is named, and what of it is hidden from API tokens. */
export function useIndexes(list: string): { aliasPointer: string | undefined; guarded: readonly string[] } {
  const indexes = useResource(`indexes ${list}`, (signal) =>
    client.list(list).indexes.all({ limit: 100, signal }).page(1),
  )
  const found: readonly Index[] = indexes.data?.data ?? []
  return {
    aliasPointer: found.find(({ alias }) => alias)?.pointer,
    guarded: found.filter(({ guard }) => guard).map(({ pointer }) => pointer),
  }
}
