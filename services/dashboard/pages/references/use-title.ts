import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { itemsKey } from '../lists/list-items.ts'
import { titleLoader } from './title-loader.ts'

/** How long the first of a page waits for the others, so that one request has all of them. */
const waitMs = 30

/** What reads titles comes with the first reference: most tables have none. */
const load = titleLoader(async (list, names) => (await import('./read-titles.ts')).readTitles(list, names), waitMs)

/** The title of an item that is referred to by its id or its alias; `data` is null: there is no such item. */
export function useTitle(list: string, name: string): Resource<string | null> {
  return useResource(name === '' ? null : `${itemsKey(list)}title ${name}`, () => load(list, name), { stays: true })
}
