import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { itemsKey } from '../lists/list-items.ts'
import { titleLoader } from './title-loader.ts'

/** How long the first title of a page waits for others, to share a request. */
const waitMs = 30

/** The script that reads titles is loaded with the first reference: most tables have none. */
const load = titleLoader(async (list, names) => (await import('./read-titles.ts')).readTitles(list, names), waitMs)

/** The title of an item by its id or alias; `data` is null if there is no such item. */
export function useTitle(list: string, name: string): Resource<string | null> {
  return useResource(name === '' ? null : `${itemsKey(list)}title ${name}`, () => load(list, name), { stays: true })
}
