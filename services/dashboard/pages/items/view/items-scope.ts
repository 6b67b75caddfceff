import type { Index, List } from '#client/src/types/resources.ts'
import { here, navigate } from '#services/dashboard/address/location.ts'
import { itemsIn } from '#services/dashboard/api/items-in.ts'
import { filterFields } from './filters.ts'
import { itemOrders } from './item-orders.ts'
import { type Askable, type ItemsView, readView, type ViewProblem, viewQuery } from './view.ts'

/** The state that the parts of the page share: the list (`name` is the one in the address), its filters and orders, and the view. */
export type ItemsScope = {
  name: string
  list: List
  indexes: readonly Index[]
  askable: Askable
  view: ItemsView
  /** Shows another view. `isSame`: the items are the same, so the address replaces the previous one in the browser's history. */
  show: (change: Partial<ItemsView>, isSame?: boolean) => void
}

type Read = Pick<ItemsScope, 'name' | 'list' | 'indexes'> & { query: URLSearchParams }

/** The scope for the query of an address, and the parameters that cannot be shown. */
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
