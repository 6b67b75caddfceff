import type { ItemVisibility } from '#shared/domain/access/ownership.ts'
import type { IdSelection } from '#shared/domain/access/permissions.ts'
import type { KeySet } from '#shared/domain/item/key-filter.ts'
import type { TextFilter } from '#shared/domain/text/filter.ts'
import type { RowsWithAny, Sql } from '../dialect.ts'
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
  /** Of the items that are not activated only these are visible; absent: those that `visible` has. */
  drafts?: ItemVisibilityFilter
  readonly: boolean | null
  /** The item has at least one tag of each group. */
  tagged: readonly (readonly string[])[]
  /** Null: items of any owner and of none. */
  ownerIds: readonly string[] | null
  /** At most one filter for each index. */
  values: readonly ValueFilter[]
}

/** Which items are visible: all, those of one identity, or those that either of two selections admits. */
export type ItemVisibilityFilter =
  | { kind: 'all' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }

/** A filter on the entries of an index; `keys` null: only the texts count, which values of any type may have. */
export type ValueFilter = { indexId: string; keys: KeySet | null; texts: readonly TextFilter[] }

/** All items of a list that are visible, without filters. */
export function visibleItems(listId: string, visible: ItemVisibilityFilter, activated: boolean | null): ItemSet {
  return { listId, visible, activated, readonly: null, tagged: [], ownerIds: null, values: [] }
}

/** One condition of a set, in the forms in which statements use it. */
export type Condition = {
  /** The condition for the item whose id a column holds. @param id the column */
  predicate(id: string): Sql
  /**
   * Selects the `id` of every item of the list that meets the condition, and perhaps of items in other lists; null: that may
   * be most of the list, or they are found by the ranges only. Without index ranges no id comes twice.
   */
  candidates: Sql | null
  /** The same items as ranges of an index; null: no index has them. */
  indexRanges: ItemRanges | null
  /** Whether the ranges have those items among many others, all of which are read to find them. */
  scans?: boolean
  /** The ranges in the order of an index's values; absent: no index has that order, or too many ranges would be merged. */
  valueRanges?: ValueRanges
}

/**
 * Ranges of rows `x`: the index has the columns of a prefix and the flags, and those of `items` and `item_tags` have the time
 * of creation behind them. No item is in two ranges.
 */
export type ItemRanges = {
  table: 'items' | 'item_tags' | 'index_values'
  id: 'id' | 'item_id'
  prefixes: readonly Sql[]
  /** The rows have one of these values, too, in the column that the index has behind the flags. */
  anyOf?: Pick<RowsWithAny, 'columns' | 'column' | 'values'>
}

/** The entries of one index to read in the order of its values. */
export type ValueRanges = {
  indexId: string
  keys: KeySet
  /** What else each entry must meet. */
  texts: readonly TextFilter[]
}

/** All conditions of a set except its list and its flags. */
export function conditionsOf({ listId, visible, drafts, tagged, ownerIds, values }: ItemSet): Condition[] {
  return [
    ...visibleBy(listId, visible),
    ...(drafts ? visibleBy(listId, drafts).map(ifDraft) : []),
    ...(ownerIds === null ? [] : [ownedBy(listId, ownerIds)]),
    ...tagged.map((tags) => taggedWith(listId, tags)),
    ...values.map(withValue),
  ]
}

function visibleBy(listId: string, visible: ItemVisibilityFilter): Condition[] {
  if (visible.kind === 'all') return []
  return [visible.kind === 'own' ? ownedBy(listId, [visible.identityId]) : namedByRules(listId, visible.byId)]
}

/** A condition that only items have to meet that are not activated. */
function ifDraft({ predicate }: Condition): Condition {
  return {
    predicate: (id) => existsIn('items d', 'd.id', id, sql`(d.activated = 1 or ${predicate('d.id')})`),
    candidates: null,
    indexRanges: null,
  }
}

function ownedBy(listId: string, ownerIds: readonly string[]): Condition {
  return {
    predicate: (id) => existsIn('items o', 'o.id', id, inList('o.identity_id', ownerIds)),
    candidates: sql`select id from items where list_id = ${listId} and ${inList('identity_id', ownerIds)}`,
    indexRanges: {
      table: 'items',
      id: 'id',
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
      table: 'item_tags',
      id: 'item_id',
      prefixes: prefixesOf(tags, (tag, n) => sql`list_id = ${listId} and tag = ${tag}${hasEarlier(n)}`),
    },
  }
}

/** One prefix for each value; without values one that matches no row. */
function prefixesOf(values: readonly string[], prefixOf: (value: string, n: number) => Sql): Sql[] {
  return values.length === 0 ? [noRow] : values.map(prefixOf)
}

export const noRow = raw('1 = 0')

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

/** The most keys whose ranges are merged in order; each is up to eight ranges, by the flags and the position. */
const maxMergedKeys = 8

/** Filters on whole keys are ranges of the index; for a part of a text all entries of the index are read (contract 1.4). */
export function withValue({ indexId, keys, texts }: ValueFilter): Condition & { indexRanges: ItemRanges } {
  const entry = (row: string, ...hasKey: Sql[]) => {
    const passes = texts.map((filter) => textFilterPredicate(`${row}.filter_key`, filter))
    return joinSql([sql`${raw(`${row}.index_id = `)}${indexId}`, ...hasKey, ...passes], ' and ')
  }
  const hasKey = (row: string) => (keys === null ? [] : [keysPredicate(`${row}.order_key`, keys)])
  const isOfSome = keys?.kind === 'any-of'
  const isInOrder = keys !== null && !(isOfSome && keys.keys.length > maxMergedKeys)
  return {
    predicate: (id) => existsIn('index_values v', 'v.item_id', id, entry('v', ...hasKey('v'))),
    candidates: null,
    indexRanges: {
      table: 'index_values',
      id: 'item_id',
      ...(isOfSome
        ? {
            prefixes: [entry('x')],
            anyOf: { columns: ['item_id', 'created_at'], column: 'order_key', values: keys.keys },
          }
        : { prefixes: [entry('x', ...hasKey('x'))] }),
    },
    scans: texts.length > 0 && !isOfSome,
    ...(isInOrder && { valueRanges: { indexId, keys, texts } }),
  }
}

/** The condition that an order key is one of these. */
export function keysPredicate(column: string, keys: KeySet): Sql {
  if (keys.kind === 'any-of')
    return keys.keys.length === 1 ? sql`${raw(column)} = ${keys.keys[0]}` : inList(column, keys.keys)
  const end = keys.end === null ? raw('') : sql` and ${raw(column)} < ${keys.end}`
  return sql`${raw(column)} >= ${keys.min}${end}`
}
