import type { IndexValue } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { type Rows, rowMapper } from '../sql/insert-rows.ts'
import { aliasHash } from './alias-hash.ts'

// The rows beside that of an item.

export const itemTagRows = rowMapper<{ item: Item; tag: string }>('item_tags', {
  item_id: ({ item }) => item.id,
  tag: ({ tag }) => tag,
  list_id: ({ item }) => item.listId,
  activated: ({ item }) => item.activated,
  readonly: ({ item }) => item.readonly,
  created_at: ({ item }) => item.createdAt,
})

/** An entry of an item in an index. `alias` is the hash of the value's alias, or empty when it has none. */
type IndexEntry = { item: Pick<Item, 'id' | 'activated' | 'readonly' | 'createdAt'>; value: IndexValue; alias: string }

/** The entries of items, to insert: in one order for every transaction, so that two with the same aliases do not deadlock. */
export function indexValueRows(entries: Iterable<Omit<IndexEntry, 'alias'>>): Rows {
  const hashed = Array.from(entries, ({ item, value }) => ({
    item,
    value,
    alias: value.aliasText === null ? '' : aliasHash(value.aliasText),
  }))
  return entryRows(hashed.sort((one, other) => Number(one.alias > other.alias) - Number(one.alias < other.alias)))
}

const entryRows = rowMapper<IndexEntry>('index_values', {
  index_id: ({ value }) => value.indexId,
  item_id: ({ item }) => item.id,
  activated: ({ item }) => item.activated,
  readonly: ({ item }) => item.readonly,
  order_key: ({ value }) => value.orderKey,
  filter_key: ({ value }) => value.filterKey,
  alias_hash: ({ alias }) => alias || null,
  created_at: ({ item }) => item.createdAt,
})
