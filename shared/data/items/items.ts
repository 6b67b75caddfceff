import type { Item } from '#shared/domain/item/item.ts'
import { toNumber, toText } from '../columns.ts'
import type { Queries, Row } from '../database.ts'
import { namedColumns } from '../sql/packed-columns.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList, unindexed } from '../sql/statements.ts'
import { aliasHash } from './alias-hash.ts'
import { itemTable } from './columns.ts'

/** An item and the settings version of its list from the same statement, which shows whether a cached list is current. */
export type ItemLookup = { configVersion: number; item: Item | null }

export type ListKey = { accountId: string; listId: string }

/** The items of one list that exist among these ids; null: the list was deleted. */
export async function findItems(
  db: Queries,
  { accountId, listId }: ListKey,
  ids: readonly string[],
): Promise<{ configVersion: number; items: Map<string, Item> } | null> {
  const rows = await db.all(sql`select l.config_version, ${raw(itemColumns)} from lists l
    left join items i on ${inList('i.id', ids)} and ${unindexed('i.list_id')} = l.id and i.account_id = l.account_id
    ${raw(owner)}
    where l.id = ${listId} and l.account_id = ${accountId}`)
  const [first] = rows
  if (!first) return null
  const items = rows.filter(({ id }) => id !== null).map(itemFromRow)
  return { configVersion: toNumber(first.config_version), items: new Map(items.map((item) => [item.id, item])) }
}

/** The item whose value in the list's alias index is exactly this one; null: the list was deleted. */
export async function findItemByAlias(
  db: Queries,
  { accountId, listId, indexId, alias }: ListKey & { indexId: string; alias: string },
): Promise<ItemLookup | null> {
  const row = await db.get(sql`select l.config_version, ${raw(itemColumns)} from lists l
    left join index_values v on v.index_id = ${indexId} and v.alias_hash = ${aliasHash(alias)}
    left join items i on i.id = v.item_id and i.list_id = l.id and i.account_id = l.account_id
    ${raw(owner)}
    where l.id = ${listId} and l.account_id = ${accountId}`)
  if (!row) return null
  return { configVersion: toNumber(row.config_version), item: row.id === null ? null : itemFromRow(row) }
}

/** The items that have one of these values in the list's alias index, by that value; null: the list was deleted. */
export async function findItemsByAlias(
  db: Queries,
  { accountId, listId, indexId, aliases }: ListKey & { indexId: string; aliases: readonly string[] },
): Promise<{ configVersion: number; items: Map<string, Item> } | null> {
  const byHash = new Map(aliases.map((alias) => [aliasHash(alias), alias]))
  const rows = await db.all(sql`select l.config_version, v.alias_hash, ${raw(itemColumns)} from lists l
    left join index_values v on v.index_id = ${indexId} and ${inList('v.alias_hash', [...byHash.keys()])}
    left join items i on i.id = v.item_id and i.list_id = l.id and i.account_id = l.account_id
    ${raw(owner)}
    where l.id = ${listId} and l.account_id = ${accountId}`)
  const [first] = rows
  if (!first) return null
  const items = rows
    .filter(({ id }) => id !== null)
    .map((row) => [byHash.get(toText(row.alias_hash)) ?? '', itemFromRow(row)] as const)
  return { configVersion: toNumber(first.config_version), items: new Map(items) }
}

/** The columns that `itemFromRow` reads, of an item `i` and its owner `o`, except `data`. */
export const itemColumnsWithoutData = {
  ...Object.fromEntries(Object.values(itemTable.columns).map((column) => [column, `i.${column}`])),
  owner_id: 'case when o.account_id = i.account_id then o.id end',
  owner_name: 'o.display_name',
}

const itemColumns = `${namedColumns(itemColumnsWithoutData)}, i.data`

/**
 * Joins the owner of an item `i`. A deleted identity, or one of another account, is not an owner. The account is compared in the
 * selected columns, because in the join it can make Postgres scan all identities of the account.
 */
export const owner = 'left join identities o on o.id = i.identity_id'

export function itemFromRow(row: Row): Item {
  return {
    ...itemTable.fromRow(row),
    data: toText(row.data),
    identity: row.owner_id === null ? null : { id: toText(row.owner_id), displayName: toText(row.owner_name) },
  }
}
