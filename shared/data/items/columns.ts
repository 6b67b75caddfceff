import { namesOfKind, pick } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { ordersOf } from '../pages/orders.ts'
import { rowMapper } from '../sql/insert-rows.ts'
import { tableOf } from '../sql/table.ts'

/** The fields of an item but for its data and its owner, which are columns beside them. */
export const itemTable = tableOf('items', itemFields, {
  columns: {
    id: 'id',
    accountId: 'account_id',
    listId: 'list_id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    description: 'description',
    tags: 'tags',
    version: 'version',
    revision: 'revision',
    readonly: 'readonly',
    activated: 'activated',
    locked: 'locked',
    size: 'size',
  },
})

export const itemRows = rowMapper<Item>('items', {
  ...itemTable.allColumns,
  data: (item) => item.data,
  identity_id: (item) => item.identity?.id ?? null,
})

/** What pages of items are ordered by. Indexes have the first two in order; for the others at most 10,000 items are sorted. */
export const itemOrders = ordersOf(itemFields, {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  size: 'size',
  ...pick(itemTable.columns, namesOfKind(itemFields, 'flag')),
})

export type ItemOrder = keyof typeof itemOrders
