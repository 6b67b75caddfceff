import { filterKey, orderKey } from '#shared/domain/item/index-key.ts'
import type { ItemVisibility } from '#shared/domain/item/ownership.ts'
import type { IdSelection } from '#shared/domain/permissions.ts'
import { mapTexts, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { idTable, inList } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'

// A set of items, and the conditions that make it up. A condition can be used in three ways: as a predicate on an item found
// otherwise, as a query of candidates, and as index ranges in page order. `item-matches.ts` chooses the condition that drives.

/** Items of one list that a request asks for and its principal may see. */
export type ItemSet = {
  listId: string
  visible: ItemVisibilityFilter
  /** Null: both. */
  activated: boolean | null
  readonly: boolean | null
  /** The item has at least one tag of each group. */
  tagged: readonly (readonly string[])[]
  /** Null: items of any owner and of none. */
  ownerIds: readonly string[] | null
  alias: AliasFilter | null
}

/** Which items are visible: all, those of one identity, or those that either of two selections admits. */
export type ItemVisibilityFilter =
  | { kind: 'all' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }

/** A filter on the value of the list's alias index; `index` null: the list has no such index, so no item has an alias. */
export type AliasFilter = { index: { id: string; isText: boolean } | null; filter: TextFilter }

/** All items of a list that are visible, without filters. */
export function visibleItems(listId: string, visible: ItemVisibilityFilter, activated: boolean | null): ItemSet {
  return { listId, visible, activated, readonly: null, tagged: [], ownerIds: null, alias: null }
}

/** One condition of a set, in the forms in which statements use it. */
export type Condition = {
  /** The condition for the item whose id a column holds. @param id the column */
  predicate(id: string): Sql
  /**
   * Selects the `id` of every item of the list that meets the condition, and perhaps of items in other lists; null: that may
   * be most of the list. Without index ranges no id comes twice.
   */
  candidates: Sql | null
  /** The same items as ranges that an index has in the order of creation; null: no index has them. */
  indexRanges: ItemRanges | null
}

/**
 * Ranges of rows `x`: the index begins with the columns of a prefix, followed by the flags and the time of creation. No item
 * is in two ranges.
 */
export type ItemRanges = { table: 'items' | 'item_tags'; id: 'id' | 'item_id'; prefixes: readonly Sql[] }

/** All conditions of a set except its list and its flags. */
export function conditionsOf({ listId, visible, tagged, ownerIds, alias }: ItemSet): Condition[] {
  return [
    ...(visible.kind === 'own' ? [ownedBy(listId, [visible.identityId])] : []),
    ...(visible.kind === 'byId' ? [namedByRules(listId, visible.byId)] : []),
    ...(ownerIds === null ? [] : [ownedBy(listId, ownerIds)]),
    ...tagged.map((tags) => taggedWith(listId, tags)),
    ...(alias === null ? [] : [aliasLike(alias)]),
  ]
}

function ownedBy(listId: string, ownerIds: readonly string[]): Condition {
  return {
    predicate: (id) => existsIn('items o', 'o.id', id, inList('o.identity_id', ownerIds)),
    candidates: sql`select id from items where list_id = ${listId} and ${inList('identity_id', ownerIds)}`,
    indexRanges: {
      ...{ table: 'items', id: 'id' },
      prefixes: prefixesOf(ownerIds, (ownerId) => sql`identity_id = ${ownerId} and list_id = ${listId}`),
    },
  }
}

function taggedWith(listId: string, anyOf: readonly string[]): Condition {
  // No tag holds U+0000, and Postgres rejects it as a parameter.
  const tags = anyOf.filter((tag) => !tag.includes('\u0000'))
  const has = (id: string, any: readonly string[]) => existsIn('item_tags t', 't.item_id', id, inList('t.tag', any))
  const hasEarlier = (n: number) => (n === 0 ? raw('') : sql` and not ${has('x.item_id', tags.slice(0, n))}`)
  return {
    predicate: (id) => has(id, tags),
    candidates: sql`select item_id as id from item_tags where list_id = ${listId} and ${inList('tag', tags)}`,
    indexRanges: {
      ...{ table: 'item_tags', id: 'item_id' },
      prefixes: prefixesOf(tags, (tag, n) => sql`list_id = ${listId} and tag = ${tag}${hasEarlier(n)}`),
    },
  }
}

/** One prefix for each value; without values one that matches no row. */
function prefixesOf(values: readonly string[], prefixOf: (value: string, n: number) => Sql): Sql[] {
  return values.length === 0 ? [noRow] : values.map(prefixOf)
}

const noRow = raw('1 = 0')

/**
 * The condition that a table has a row of an item that meets a condition. It uses `count(*) > 0` instead of EXISTS, because
 * MySQL and Postgres turn EXISTS into a join and start it from the wrong table. An item has only few such rows.
 */
export function existsIn(table: string, key: string, id: string, passes: Sql): Sql {
  return sql`(select count(*) from ${raw(`${table} where ${key} = ${id}`)} and ${passes}) > 0`
}

/** Permission rules that name items: the items they allow are found by id, those they deny are skipped. */
function namedByRules(listId: string, { regardlessOfOwner, owned: own }: ItemVisibility): Condition {
  const selects = (id: string, { rest, except }: IdSelection) =>
    rest ? sql`not (${inList(id, except)})` : inList(id, except)
  const owned = own && ownedBy(listId, [own.identityId])
  const found = [
    sql`select input.id from ${idTable(regardlessOfOwner.except)}`,
    ...(own && owned?.candidates
      ? [sql`${owned.candidates} and ${selects('id', own)} and not (${inList('id', regardlessOfOwner.except)})`]
      : []),
  ]
  return {
    predicate: (id) =>
      own && owned
        ? sql`(${selects(id, regardlessOfOwner)} or (${selects(id, own)} and ${owned.predicate(id)}))`
        : selects(id, regardlessOfOwner),
    candidates: regardlessOfOwner.rest ? null : joinSql(found, ' union all '),
    indexRanges: null,
  }
}

function aliasLike({ index, filter }: AliasFilter): Condition {
  if (!index) return { predicate: () => noRow, candidates: sql`select id from items where ${noRow}`, indexRanges: null }
  const fits = sql`v.index_id = ${index.id} and ${aliasFits(filter, index)}`
  return {
    predicate: (id) => existsIn('index_values v', 'v.item_id', id, fits),
    candidates: sql`select v.item_id as id from index_values v where ${fits}`,
    indexRanges: null,
  }
}

/** The index of order keys finds equal text; a part of a text is found only by a scan (contract 1.4). */
function aliasFits(filter: TextFilter, { isText }: { isText: boolean }): Sql {
  const fits = textFilterPredicate('v.filter_key', mapTexts(filter, filterKey))
  if (!isText || (filter.kind !== 'equals' && filter.kind !== 'in')) return fits
  const starts = textFilterPredicate('v.order_key', mapTexts(filter, orderKey))
  return sql`v.number_value is null and ${starts} and ${fits}`
}
