import { Menu, MenuItem } from '../../parts/menu.tsx'
import type { ItemsDirection, ItemsOrder } from './item-orders.ts'
import type { ItemsScope } from './items-scope.ts'

/** The order of the items. What the server cannot order well is greyed, with the reason. */
export function OrderMenu({ scope }: { scope: ItemsScope }) {
  const { askable, view, show } = scope
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
          <MenuItem key={order.name} disabled more={order.problem} onPress={() => {}}>
            {order.label}
          </MenuItem>
        ),
      )}
    </Menu>
  )
}

/** The order of a view, with its direction. */
export function orderOf(
  { order: name, direction }: Pick<ItemsScope['view'], 'order' | 'direction'>,
  orders: readonly ItemsOrder[],
): { order: ItemsOrder; direction: ItemsDirection } | null {
  const order = orders.find((one) => one.name === (name ?? 'createdAt'))
  if (!order) return null
  return { order, direction: order.directions.find(({ value }) => value === direction) ?? order.directions[0] }
}

/** What changes in a view that gets an order: what goes without saying is left out of its address. */
export function orderChange({ name, directions: [own] }: ItemsOrder, { value }: ItemsDirection) {
  return { order: name === 'createdAt' ? null : name, direction: value === own.value ? null : value }
}
