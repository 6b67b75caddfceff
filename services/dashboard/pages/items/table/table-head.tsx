import type { ItemsOrder } from '../view/item-orders.ts'
import type { ItemsScope } from '../view/items-scope.ts'
import { isBest } from '../view/view.ts'
import type { Column } from './columns.ts'
import { Mark, type Place } from './item-row.tsx'
import { orderChange, orderOf } from './order-menu.tsx'
import { WidthHandle } from './width-handle.tsx'

type TableHeadProps = {
  scope: ItemsScope
  places: readonly Place[]
  /** The widths of the columns, including the checkbox column before them. */
  tracks: readonly string[]
  picked: 'none' | 'some' | 'all'
  onPickAll: () => void
  /** @param rem null: as wide as its texts */
  onWidth: (column: string, rem: number | null) => void
}

/** The names of the columns. Those that the server can order by are buttons. */
export function TableHead({ scope, places, tracks, picked, onPickAll, onWidth }: TableHeadProps) {
  const now = orderOf(scope.view, scope.askable.orders)
  return (
    <thead>
      <tr>
        <th class="tick">
          <input
            type="checkbox"
            aria-label="Select all on this page"
            checked={picked === 'all'}
            indeterminate={picked === 'some'}
            onChange={onPickAll}
          />
        </th>
        {places.map(({ column, isNumeric }, n) => (
          <th
            key={column.name}
            class={isNumeric ? 'num' : undefined}
            title={column.pointer || undefined}
            aria-sort={now && now.order === orderOfColumn(scope, column) ? sorted[now.direction.value] : undefined}
          >
            <Heading scope={scope} column={column} />
            {column.guarded && <Mark text="hidden from tokens" />}
            <WidthHandle tracks={tracks} at={n + 1} onWidth={(rem) => onWidth(column.name, rem)} />
          </th>
        ))}
      </tr>
    </thead>
  )
}

const sorted = { asc: 'ascending', desc: 'descending' } as const

function Heading({ scope, column }: { scope: ItemsScope; column: Column }) {
  const order = orderOfColumn(scope, column)
  if (!order) return <>{column.label}</>
  const now = orderOf(scope.view, scope.askable.orders)
  const isNow = now?.order === order
  const [own, other] = order.directions
  const next = isNow && now.direction === own ? other : own
  return (
    <button
      type="button"
      class="heading"
      title={`Order: ${next.label}`}
      onClick={() => scope.show(orderChange(order, next))}
    >
      {column.label}
      {isNow && <span aria-hidden="true">{now.direction.value === 'asc' ? ' ↑' : ' ↓'}</span>}
    </button>
  )
}

/** The order by a column, if the server has one. The best matches of a search cannot be ordered. */
function orderOfColumn({ askable, view }: ItemsScope, { name, pointer }: Column): ItemsOrder | undefined {
  if (isBest(view)) return undefined
  return askable.orders.find(
    (order) => order.problem === undefined && (pointer === undefined ? order.name === name : order.pointer === pointer),
  )
}
