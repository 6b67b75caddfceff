import { route } from '#client/src/transport.ts'
import { Menu, MenuItem } from '#services/dashboard/parts/controls/menu.tsx'
import { defaultOrder } from '#shared/domain/item/filters.ts'
import type { ItemsDirection, ItemsOrder } from '../view/item-orders.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import type { Column } from './columns.ts'

/** Selects the order of the items. An order that is not available is gray, with the reason and, if it has an index, a link to it. */
export function OrderMenu({ scope, columns }: { scope: ItemsScope; columns: readonly Column[] }) {
  const { name, askable, view, show } = scope
  const now = orderOf(view, askable.orders)
  const label = now ? now.direction.label : 'order'
  return (
    <Menu label={label} name={`Order: ${label}`} icon="order" kind="quiet">
      {askable.orders.map((order) =>
        order.problem === undefined ? (
          order.directions.map((direction) => (
            <MenuItem
              key={`${order.name} ${direction.value}`}
              more={now?.order === order && now.direction === direction ? 'now' : undefined}
              onPress={() => show(orderChange(order, direction))}
            >
              {direction.label}
            </MenuItem>
          ))
        ) : (
          <Unordered key={order.name} list={name} order={order} />
        ),
      )}
      {unindexed(columns, askable.orders).map(({ label, pointer = '' }) => (
        <MenuItem key={pointer} to={`${indexesOf(name)}?${new URLSearchParams({ pointer })}`} more="create an index…">
          <span class="muted">{label}</span>
        </MenuItem>
      ))}
    </Menu>
  )
}

const indexesOf = (list: string) => route`/lists/${list}/indexes`

/** The columns of data without an index. */
function unindexed(columns: readonly Column[], orders: readonly ItemsOrder[]): Column[] {
  return columns.filter(
    ({ pointer, guarded }) => pointer && !guarded && !orders.some((order) => order.pointer === pointer),
  )
}

/** An order that is not available now. It links to its index, if it has one. */
function Unordered({ list, order: { name, label, pointer, problem } }: { list: string; order: ItemsOrder }) {
  if (pointer === undefined) {
    return (
      <MenuItem disabled more={problem} onPress={() => {}}>
        {label}
      </MenuItem>
    )
  }
  const index = name.replace(/^index\./, '')
  return (
    <MenuItem to={`${indexesOf(list)}?${new URLSearchParams({ index })}`} more={problem}>
      <span class="muted">{label}</span>
    </MenuItem>
  )
}

/** The order of a view, with its direction. */
export function orderOf(
  { order: name, direction }: Pick<ItemsScope['view'], 'order' | 'direction'>,
  orders: readonly ItemsOrder[],
): { order: ItemsOrder; direction: ItemsDirection } | null {
  const order = orders.find((one) => one.name === (name ?? defaultOrder))
  if (!order) return null
  return { order, direction: order.directions.find(({ value }) => value === direction) ?? order.directions[0] }
}

/** The change of a view for another order. Defaults are null, so that the address leaves them out. */
export function orderChange({ name, directions: [own] }: ItemsOrder, { value }: ItemsDirection) {
  return { order: name === defaultOrder ? null : name, direction: value === own.value ? null : value }
}
