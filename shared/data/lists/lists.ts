import type { List } from '#shared/domain/list/fields.ts'
import type { ListIndex } from '#shared/domain/list/index-fields.ts'
import { pathNameKey } from '#shared/domain/path-name.ts'
import { toNumber, toText } from '../columns.ts'
import type { Database, Queries, Row } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { indexTable, listTable } from './columns.ts'

/**
 * The list of an account by id, or by path name ignoring case; an id takes precedence over a path name that looks like one.
 * @param ref the id or path name as it is in the request's path
 */
export async function findList(db: Database, accountId: string, ref: string): Promise<List | null> {
  const rows = await db.all(listsNamed(accountId, ref, listTable.selected))
  const row = bestMatch(rows, ref)
  return row ? listTable.fromRow(row) : null
}

/** The id and settings version of the list that `findList` would return: shows whether a cached list is current. */
export async function findListVersion(
  db: Database,
  accountId: string,
  ref: string,
): Promise<{ id: string; configVersion: number } | null> {
  const rows = await db.all(listsNamed(accountId, ref, raw('id, config_version')))
  const row = bestMatch(rows, ref)
  return row ? { id: toText(row.id), configVersion: toNumber(row.config_version) } : null
}

/** The parts of a list that show whether a cached copy is current, and its counters. */
export type ListState = {
  configVersion: number
  items: number
  /** The number of items that are not activated. */
  deactivated: number
}

/** The columns that `listStateFromRow` reads, of a list `l`. */
export const listStateColumns = {
  config_version: 'l.config_version',
  item_count: 'l.item_count',
  deactivated_count: 'l.deactivated_count',
}

export function listStateFromRow(row: Row): ListState {
  return {
    configVersion: toNumber(row.config_version),
    items: toNumber(row.item_count),
    deactivated: toNumber(row.deactivated_count),
  }
}

/** The indexes of a list, oldest first. */
export async function readIndexes(db: Queries, accountId: string, listId: string): Promise<ListIndex[]> {
  return readIndexesOf(db, { accountId, listIds: [listId] })
}

/** The same for several lists. */
export async function readIndexesOf(
  db: Queries,
  { accountId, listIds }: { accountId: string; listIds: readonly string[] },
): Promise<ListIndex[]> {
  if (listIds.length === 0) return []
  const rows = await db.all(sql`select ${indexTable.selected} from indexes
    where account_id = ${accountId} and ${inList('list_id', listIds)} order by created_at, id`)
  return rows.map(indexTable.fromRow)
}

/** The ids among these that are lists of the account. */
export async function existingListIds(
  db: Database,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<Set<string>> {
  return new Set((await readPathNames(db, { accountId, ids })).keys())
}

/** The path names of those of these lists that belong to the account, by their ids. */
export async function readPathNames(
  db: Queries,
  { accountId, ids }: { accountId: string; ids: readonly string[] },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const rows = await db.all(
    sql`select id, path_name from lists where account_id = ${accountId} and ${inList('id', ids)}`,
  )
  return new Map(rows.map(({ id, path_name }) => [toText(id), toText(path_name)]))
}

/** The lists that `findList` would find, by the references that match one. */
export async function findListsNamed(
  db: Database,
  { accountId, refs }: { accountId: string; refs: readonly string[] },
): Promise<Map<string, { id: string }>> {
  if (refs.length === 0) return new Map()
  const keys = [...new Set(refs.map(pathNameKey))]
  const rows = await db.all(
    sql`select id, path_key from lists
      where account_id = ${accountId} and (${inList('id', keys)} or ${inList('path_key', keys)})`,
  )
  return new Map(
    refs.flatMap((ref) => {
      const named = rows.filter(({ id, path_key }) => [id, path_key].includes(pathNameKey(ref)))
      const found = bestMatch(named, ref)
      return found ? [[ref, { id: toText(found.id) }] as const] : []
    }),
  )
}

/** The lists of an account with these path names. @param keys as `pathNameKey` returns them */
export async function findListsByPathName(
  db: Queries,
  { accountId, keys }: { accountId: string; keys: readonly string[] },
): Promise<List[]> {
  if (keys.length === 0) return []
  const rows = await db.all(sql`select ${listTable.selected} from lists
    where account_id = ${accountId} and ${inList('path_key', keys)}`)
  return rows.map(listTable.fromRow)
}

function listsNamed(accountId: string, ref: string, columns: Sql): Sql {
  const key = pathNameKey(ref)
  return sql`select ${columns} from lists where account_id = ${accountId} and (id = ${key} or path_key = ${key})`
}

function bestMatch(rows: readonly Row[], ref: string): Row | undefined {
  return rows.find(({ id }) => id === pathNameKey(ref)) ?? rows[0]
}
