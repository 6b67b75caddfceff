import { pick } from '#shared/domain/fields/values.ts'
import { itemFields } from '#shared/domain/item/fields.ts'
import { itemOrderNames } from '#shared/domain/item/filters.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { rowMapper } from '../sql/insert-rows.ts'
import { tableOf } from '../sql/table.ts'

/** The fields of an item except its data and its owner, which have separate columns. */
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

/** The columns that pages of items are ordered by. Indexes have the two times in order; for the others at most 10,000 items are sorted. */
export const itemOrderColumns = pick(itemTable.columns, itemOrderNames)
