import { namesIn, namesOfKind, pick } from '#shared/domain/fields/values.ts'
import { type List, listFields } from '#shared/domain/list/fields.ts'
import { indexFields, type ListIndex } from '#shared/domain/list/index-fields.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import { caseFold } from '#shared/domain/text/case-fold.ts'
import { ordersOf } from '../pages/orders.ts'
import { filterConditionsOf, indexedFiltersOf } from '../sql/filters.ts'
import type { Columns } from '../sql/insert-rows.ts'
import { tableOf } from '../sql/table.ts'

export const listTable = tableOf('lists', listFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    name: 'name',
    description: 'description',
    tags: 'tags',
    pathName: 'path_name',
    schema: 'schema',
    scope: 'scope',
    pinned: 'pinned',
    readonly: 'readonly',
    realtime: 'realtime',
    protected: 'protected',
    indexable: 'indexable',
    generative: 'generative',
    generativePrompt: 'generative_prompt',
    activated: 'activated',
    itemCount: 'item_count',
    accountId: 'account_id',
    deactivatedCount: 'deactivated_count',
    termsId: 'terms_id',
    termsOf: 'terms_of',
    configVersion: 'config_version',
  },
  derived: {
    name_key: ['name', caseFold],
    path_key: ['pathName', pathNameKey],
    // The tags that `list_tags` has.
    indexed_tags: ['tags', (tags) => tags],
  },
})

/** The columns that a request may change. */
export const updatedListColumns: Columns<List> = listTable.columnsOf([
  'updatedAt',
  'scope',
  ...namesIn(listFields, 'update'),
])

/** The columns that a schema sync may change. */
export const syncedListColumns: Columns<List> = listTable.columnsOf([
  'updatedAt',
  'scope',
  ...namesIn(listFields, 'sync'),
])

const flagColumns = pick(listTable.columns, namesOfKind(listFields, 'flag'))

/** The orders of pages of lists. */
export const listOrders = ordersOf(listFields, {
  createdAt: 'created_at',
  updatedAt: 'updated_at',
  name: 'name_key',
  pathName: 'path_key',
  scope: { key: 'lower(scope)', optional: { present: 'scope is not null', missing: 'scope is null' } },
  itemCount: 'item_count',
  ...flagColumns,
})
export type ListOrder = keyof typeof listOrders

export const listFilterConditions = filterConditionsOf(listFields, {
  name: 'name_key',
  pathName: 'path_key',
  tags: 'lists.tags',
  ...flagColumns,
})

/** The filters on columns whose indexes begin with the account. */
export const indexedListFilters = indexedFiltersOf(listFields, { name: 'name_key', pathName: 'path_key' })

export const indexTable = tableOf('indexes', indexFields, {
  columns: {
    id: 'id',
    createdAt: 'created_at',
    updatedAt: 'updated_at',
    name: 'name',
    description: 'description',
    tags: 'tags',
    pathName: 'path_name',
    scope: 'scope',
    pointer: 'pointer',
    valueType: 'value_type',
    alias: 'alias',
    sorting: 'sorting',
    filtering: 'filtering',
    searching: 'searching',
    guard: 'guard',
    defaultOrderDirection: 'default_order_direction',
    activated: 'activated',
    buildStatus: 'build_status',
    accountId: 'account_id',
    listId: 'list_id',
    arrays: 'arrays',
    valuesId: 'values_id',
  },
})

/** The columns that a request may change, or that a build of the index sets. */
export const updatedIndexColumns: Columns<ListIndex> = indexTable.columnsOf([
  'updatedAt',
  'scope',
  'buildStatus',
  'arrays',
  'valuesId',
  ...namesIn(indexFields, 'update'),
])

/** The columns that a schema sync may change. */
export const syncedIndexColumns: Columns<ListIndex> = indexTable.columnsOf([
  'updatedAt',
  'scope',
  'buildStatus',
  'arrays',
  'valuesId',
  ...namesIn(indexFields, 'sync'),
])

/** The orders of pages of indexes. */
export const indexOrders = ordersOf(
  indexFields,
  pick(indexTable.columns, [
    ...(['createdAt', 'updatedAt', 'name', 'pathName', 'scope', 'pointer', 'valueType'] as const),
    ...(['alias', 'sorting', 'filtering', 'searching', 'guard'] as const),
    ...(['defaultOrderDirection', 'activated', 'buildStatus'] as const),
  ]),
)
export type IndexOrder = keyof typeof indexOrders
