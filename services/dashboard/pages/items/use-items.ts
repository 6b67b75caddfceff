import { signal } from '@preact/signals'
import { client } from '../../api/client.ts'
import { itemsIn } from '../../api/items-in.ts'
import { type Resource, useResource } from '../../api/resource.ts'
import { itemsKey } from '../lists/list-items.ts'
import { searchPage } from './search-page.ts'
import { type ItemRows, readFoundItems, readItemRows } from './table/item-rows.ts'
import { conditionsOf, pageOptions } from './view/items-request.ts'
import type { ItemsScope } from './view/items-scope.ts'
import { isBest, isFiltered, viewQuery, wholeList } from './view/view.ts'

/** Longer data are not kept for the way back. */
const mostKept = 1_000_000

/** The items of the page that a view shows. They stay as they are until somebody asks for others. */
export function useItemRows({ name, view, askable }: ItemsScope, isAsked: boolean): Resource<ItemRows> {
  const query = viewQuery({ ...view, columns: null }, askable)
  return useResource(
    isAsked ? `${itemsKey(name)}?${query}` : null,
    async (signal) => {
      if (isBest(view)) {
        return readFoundItems(await client.list(name).search(`${view.search}`, { includeItems: true, signal }).text())
      }
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

/** How many items the service has looked at for the page that is read at present; 0: it finds them by an index. */
export const examined = signal(0)

/** How many items there are. */
export type Total = { total: number; isAtLeast: boolean }

/** How many items a view shows on all its pages; undefined: it is not known yet, or the best alone are shown. */
export function useTotal({ name, list, view, askable }: ItemsScope): Total | undefined {
  const { filters, search } = view
  const query = viewQuery({ ...wholeList, filters, search }, askable)
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
