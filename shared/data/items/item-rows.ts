import type { IndexValue, Keys } from '#shared/domain/item/index-value.ts'
import type { Item } from '#shared/domain/item/item.ts'
import { bandOf } from '#shared/domain/search/score.ts'
import { type Rows, rowMapper } from '../sql/insert-rows.ts'
import { aliasHash } from './alias-hash.ts'
import type { ItemTerms } from './item-change.ts'

// The rows of an item in other tables.

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

/**
 * The rows of an item's words, in the order of the words, and one row for all of them: the row with the empty term has the number of
 * words as its frequency, and the revision of the item, negative, as its band (025-item-terms.ts).
 */
export function itemTermRows(items: Iterable<{ item: Pick<Item, 'id' | 'revision'>; terms: ItemTerms }>): Rows {
  const rows: TermRow[] = []
  for (const { item, terms } of items) {
    const { termsId, frequencies, length } = terms
    const own = { itemId: item.id, termsId }
    rows.push({ ...own, term: '', band: -item.revision, brevity: 0, frequency: length })
    for (const [term, frequency] of [...frequencies].sort(byWord)) {
      rows.push({ ...own, term, band: bandOf(frequency), brevity: -length, frequency })
    }
  }
  return termRows(rows)
}

const byWord = ([one]: readonly [string, number], [other]: readonly [string, number]) =>
  Number(one > other) - Number(one < other)

type TermRow = { itemId: string; termsId: number; term: string; band: number; brevity: number; frequency: number }

const termRows = rowMapper<TermRow>('item_terms', {
  item_id: ({ itemId }) => itemId,
  terms_id: ({ termsId }) => termsId,
  term: ({ term }) => term,
  band: ({ band }) => band,
  brevity: ({ brevity }) => brevity,
  frequency: ({ frequency }) => frequency,
})

type ElementItem = IndexEntry['item'] & Pick<Item, 'revision'>
type ElementEntry = { item: ElementItem; indexId: string; n: number; keys: Keys }

/** The entries of the elements of arrays without the smallest, to insert. */
export function indexElementRows(entries: Iterable<{ item: ElementItem; value: IndexValue }>): Rows {
  const elements = Array.from(entries).flatMap(({ item, value: { indexId, elements = [] } }) =>
    elements.map((keys, n) => ({ item, indexId, n, keys })),
  )
  return elementRows(elements)
}

const elementRows = rowMapper<ElementEntry>('index_elements', {
  item_id: ({ item }) => item.id,
  index_id: ({ indexId }) => indexId,
  revision: ({ item }) => item.revision,
  n: ({ n }) => n,
  activated: ({ item }) => item.activated,
  readonly: ({ item }) => item.readonly,
  order_key: ({ keys }) => keys.orderKey,
  filter_key: ({ keys }) => keys.filterKey,
  created_at: ({ item }) => item.createdAt,
})
