import { filterKey, orderKey } from '#shared/domain/item/index-key.ts'
import type { ItemVisibility } from '#shared/domain/item/ownership.ts'
import type { IdSelection } from '#shared/domain/permissions.ts'
import { mapTexts, type TextFilter } from '#shared/domain/text/filter.ts'
import type { Sql } from '../sql/dialect.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { idTable, inList } from '../sql/statements.ts'
import { textFilterPredicate } from '../sql/text-filter.ts'

/** Items of one list that somebody asks for and may see. */
export type ItemSet = {
  listId: string
  visible: ItemVisibilityFilter
  /** Null: both. */
  activated: boolean | null
  readonly: boolean | null
  /** Of each group the item has at least one tag. */
  tagged: readonly (readonly string[])[]
  /** Null: anybody's and nobody's. */
  ownerIds: readonly string[] | null
  alias: AliasFilter | null
}

/** Whose items count: everybody's, one identity's, or what two selections let through together. */
export type ItemVisibilityFilter =
  | { kind: 'all' }
  | { kind: 'own'; identityId: string }
  | { kind: 'byId'; byId: ItemVisibility }

/** A filter on the value of the list's alias index; `index` null: the list has none, and so no item an alias. */
export type AliasFilter = { index: { id: string; isText: boolean } | null; filter: TextFilter }

/** Everything that is seen of a list. */
export function visibleItems(listId: string, seen: ItemVisibilityFilter, activated: boolean | null): ItemSet {
  return { listId, visible: seen, activated, readonly: null, tagged: [], ownerIds: null, alias: null }
}

/** A part of what makes the set, told in the ways in which statements use it. */
export type Condition = {
  /** Whether it holds for the item whose id a column holds. */
  predicate(id: string): Sql
  /**
   * `id` of every item of the list that it holds for, and perhaps of other lists; null: that may be most of the list.
   * No id comes twice, unless there are ranges.
   */
  candidates: Sql | null
  /** The same as ranges that an index has in the order of creation; null: no index has. */
  indexRanges: ItemRanges | null
}

/**
 * Rows `x` of an index that begins with these conditions, one for each range, and goes on with the flags and the time of
 * creation. No item is in two of them.
 */
export type ItemRanges = { table: 'items' | 'item_tags'; id: 'id' | 'item_id'; starts: readonly Sql[] }

/** All conditions of a set but its list and its flags. */
export function conditionsOf({ listId, visible: seen, tagged, ownerIds, alias }: ItemSet): Condition[] {
  return [
    ...(seen.kind === 'own' ? [ownedBy(listId, [seen.identityId])] : []),
    ...(seen.kind === 'byId' ? [byIdCondition(listId, seen.byId)] : []),
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
      starts: startsOf(ownerIds, (ownerId) => sql`identity_id = ${ownerId} and list_id = ${listId}`),
    },
  }
}

function taggedWith(listId: string, asked: readonly string[]): Condition {
  // No tag has it, and Postgres refuses to be asked for it.
  const tags = asked.filter((tag) => !tag.includes('\u0000'))
  const has = (id: string, any: readonly string[]) => existsIn('item_tags t', 't.item_id', id, inList('t.tag', any))
  const hasEarlier = (n: number) => (n === 0 ? raw('') : sql` and not ${has('x.item_id', tags.slice(0, n))}`)
  return {
    predicate: (id) => has(id, tags),
    candidates: sql`select item_id as id from item_tags where list_id = ${listId} and ${inList('tag', tags)}`,
    indexRanges: {
      ...{ table: 'item_tags', id: 'item_id' },
      starts: startsOf(tags, (tag, n) => sql`list_id = ${listId} and tag = ${tag}${hasEarlier(n)}`),
    },
  }
}

/** One start for each value; for none of them one where nothing is. */
function startsOf(values: readonly string[], start: (value: string, n: number) => Sql): Sql[] {
  return values.length === 0 ? [nothing] : values.map(start)
}

const nothing = raw('1 = 0')

/**
 * Whether a table has rows of an item that pass. They are counted, few as they are: of `exists` the servers make a join,
 * and begin it with what they misjudge as little.
 */
export function existsIn(table: string, key: string, id: string, passes: Sql): Sql {
  return sql`(select count(*) from ${raw(`${table} where ${key} = ${id}`)} and ${passes}) > 0`
}

/** Rules that name items: those they add are found by id, those they take away are left out on the way. */
function byIdCondition(listId: string, { regardlessOfOwner, owned: own }: ItemVisibility): Condition {
  const chosen = (id: string, { rest, except }: IdSelection) =>
    rest ? sql`not (${inList(id, except)})` : inList(id, except)
  const owned = own && ownedBy(listId, [own.identityId])
  const found = [
    sql`select given.id from ${idTable(regardlessOfOwner.except)}`,
    ...(own && owned?.candidates
      ? [sql`${owned.candidates} and ${chosen('id', own)} and not (${inList('id', regardlessOfOwner.except)})`]
      : []),
  ]
  return {
    predicate: (id) =>
      own && owned
        ? sql`(${chosen(id, regardlessOfOwner)} or (${chosen(id, own)} and ${owned.predicate(id)}))`
        : chosen(id, regardlessOfOwner),
    candidates: regardlessOfOwner.rest ? null : joinSql(found, ' union all '),
    indexRanges: null,
  }
}

function aliasLike({ index, filter }: AliasFilter): Condition {
  if (!index)
    return { predicate: () => nothing, candidates: sql`select id from items where ${nothing}`, indexRanges: null }
  const fits = sql`v.index_id = ${index.id} and ${aliasFits(filter, index)}`
  return {
    predicate: (id) => existsIn('index_values v', 'v.item_id', id, fits),
    candidates: sql`select v.item_id as id from index_values v where ${fits}`,
    indexRanges: null,
  }
}

/** Equal text is found by the index of order keys; a part of a text only by looking at all (contract 1.4). */
function aliasFits(filter: TextFilter, { isText }: { isText: boolean }): Sql {
  const fits = textFilterPredicate('v.filter_key', mapTexts(filter, filterKey))
  if (!isText || (filter.kind !== 'equals' && filter.kind !== 'in')) return fits
  const starts = textFilterPredicate('v.order_key', mapTexts(filter, orderKey))
  return sql`v.number_value is null and ${starts} and ${fits}`
}
