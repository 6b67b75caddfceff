import { client } from '../../api/client.ts'
import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { useIndexes } from '../lists/list-indexes.ts'
import { itemsKey } from '../lists/list-items.ts'
import { type ItemText, readItem } from './item-text.ts'

/** @param name the id of an item, or its alias, as the address has it */
export function useItem(list: string, name: string): Resource<ItemText> {
  return useResource(`${itemsKey(list)}one ${name}`, (signal) =>
    client.list(list).get(name, { signal }).text().then(readItem),
  )
}

/** The pointer of the alias of items, and the pointers of the values that are hidden from API tokens. */
export function useIndexFacts(list: string): { aliasPointer: string | undefined; guarded: readonly string[] } {
  const found = useIndexes(list).data ?? []
  return {
    aliasPointer: found.find(({ alias }) => alias)?.pointer,
    guarded: found.filter(({ guard }) => guard).map(({ pointer }) => pointer),
  }
}
