import type { Index, List } from '#client/src/types/resources.ts'
import { here, navigate } from '#services/dashboard/address/location.ts'
import { itemsIn } from '#services/dashboard/api/items-in.ts'
import { filterFields } from './filters.ts'
import { itemOrders } from './item-orders.ts'
import { type Askable, type ItemsView, readView, type ViewProblem, viewQuery } from './view.ts'

/** What the parts of the page know: the list by the name of the address, what can be asked of it, and what is. */
export type ItemsScope = {
  name: string
  list: List
  indexes: readonly Index[]
  askable: Askable
  view: ItemsView
  /** Shows another view. `isSame`: of the same items, so that the way back does not lead through each. */
  show: (change: Partial<ItemsView>, isSame?: boolean) => void
}

type Read = Pick<ItemsScope, 'name' | 'list' | 'indexes'> & { query: URLSearchParams }

/** What a query asks of a list, and what of it cannot be shown. */
export function scopeOf({ query, ...about }: Read): { scope: ItemsScope; problems: ViewProblem[] } {
  const fields = filterFields(about.indexes)
  const isFiltered =
    query.has('search') || fields.some(({ name }) => query.has(name) || query.has(name.replace(/^index\./, '')))
  const askable = { fields, orders: itemOrders(about.indexes, isFiltered ? 0 : itemsIn(about.list)) }
  const { view, problems } = readView(query, askable)
  const show: ItemsScope['show'] = (change, isSame = false) => {
    const changed = viewQuery({ ...view, after: null, ...change }, askable)
    navigate(here.value.path + (changed && `?${changed}`), { replace: isSame })
  }
  return { scope: { ...about, askable, view, show }, problems }
}
