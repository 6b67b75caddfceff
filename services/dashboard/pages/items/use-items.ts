import { signal } from '@preact/signals'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import type { Resource } from '../../api/reader.ts'
import { useResource } from '../../api/resource.ts'
import { itemsKey } from '../lists/list-items.ts'
import { searchPage } from './search-page.ts'
import { type ItemRows, readFoundItems, readItemRows } from './table/item-rows.ts'
import { conditionsOf, pageOptions, searchOptions } from './view/items-request.ts'
import type { ItemsScope } from './view/items-scope.ts'
import { canSearch, hasWords, namedView } from './view/named.ts'
import { isBest, isFiltered, viewQuery, wholeList } from './view/view.ts'

/** Characters of data above which a page is not kept for going back. */
const mostKept = 1_000_000

/** The items of a view's page. They are not read again when the user returns to the tab, so that no row moves. */
export function useItemRows(scope: ItemsScope, isAsked: boolean): Resource<ItemRows> {
  const { name, view, askable } = scope
  const query = viewQuery({ ...view, columns: null }, askable)
  return useResource(
    isAsked ? `${itemsKey(name)}?${query}` : null,
    async (signal) => {
      if (isBest(view)) return findItems(scope, signal)
      const options = { ...pageOptions(view, askable.fields), signal }
      const read = async (after: string, limit: number) => {
        return readItemRows(
          await client
            .list(name)
            .items({ ...options, limit })
            .after(after)
            .text(),
        )
      }
      return searchPage(read, view.after ?? '', { limit: options.limit, onExamined: (n) => (examined.value = n) })
    },
    { stays: true, keeps: ({ rows }) => rows.reduce((sum, { dataText }) => sum + dataText.length, 0) < mostKept },
  )
}

/** The item whose alias or id is the text, followed by the best matches for its words. */
async function findItems({ name, indexes, askable, view }: ItemsScope, signal: AbortSignal): Promise<ItemRows> {
  const text = `${view.search}`
  const items = client.list(name)
  const named = namedView(indexes, text)
  const options = named && { ...pageOptions(named, askable.fields), limit: 1, signal }
  const first = options ? readItemRows(await items.items(options).after().text()).rows : []
  // If no item has this id or alias, the search below lets the service report what is wrong with the words.
  if (first.length > 0 && !hasWords(indexes, text)) return { rows: first, next: null, examined: 0 }
  if (!canSearch(indexes)) return { rows: first, next: null, examined: 0 }
  const asked = { ...searchOptions(view), includeItems: true, signal }
  const answer = items.search(text, asked)
  const [{ rows }, { isTruncated }] = [readFoundItems(await answer.text()), await answer]
  return { rows: [...first, ...rows.filter(({ id }) => id !== first[0]?.id)], next: null, examined: 0, isTruncated }
}

/** How many items the service has examined for the page that is being read; 0: it finds them by an index. */
export const examined = signal(0)

/** A number of items; `isAtLeast`: there may be more. */
export type Total = { total: number; isAtLeast: boolean }

/** The number of items on all pages of a view; undefined: it is not known yet, or the view shows only the best matches. */
export function useTotal({ name, list, view, askable }: ItemsScope): Total | undefined {
  const { filters, search, prefix, match } = view
  const query = viewQuery({ ...wholeList, filters, search, prefix, match }, askable)
  const counted = useResource(isFiltered(view) && !isBest(view) ? `${itemsKey(name)}total ?${query}` : null, (signal) =>
    client
      .list(name)
      .items({ where: conditionsOf(view, askable.fields), includeData: false, signal })
      .total(),
  )
  if (isBest(view)) return undefined
  if (!isFiltered(view)) return { total: itemsIn(list), isAtLeast: false }
  return counted.isOld ? undefined : counted.data
}
