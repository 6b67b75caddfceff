import { maxSyncLists } from '#shared/domain/limits.ts'
import type { CurrentList } from '#shared/domain/sync/state.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { fewestRows } from '../pages/row-sources.ts'
import { joinSql, raw, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { listFilterConditions, listTable } from './columns.ts'
import { accountOf, type ListSet, listConditions, listSources, listsAmong } from './list-page.ts'
import { withIndexesOf } from './schema-sync.ts'

/** Lists to export, from `findExported`: all of a set, or those with these ids. */
export type ExportedLists = ListSet & { ids: readonly string[] | null }

/**
 * Finds the lists of a set; if `refs` is not null, only those with these path keys or ids. Uses an index where one has them.
 * @returns the lists, and the references that match none of them
 */
export async function findExported(
  db: Queries,
  set: ListSet,
  refs: readonly string[] | null,
): Promise<{ lists: ExportedLists; missing: string[] }> {
  const named = (refs && [namedBy(set, refs)]) ?? []
  const lists = { ...set, ids: await fewestRows(db, [...named, ...listSources(set)]) }
  if (refs === null) return { lists, missing: [] }
  const rows = await db.all(sql`select id, path_key from lists where ${conditionsOf(lists)}`)
  const found = rows.map((row) => ({ id: toText(row.id), pathKey: toText(row.path_key) }))
  const wanted = found.filter(({ id, pathKey }) => refs.includes(id) || refs.includes(pathKey))
  const known = new Set(wanted.flatMap(({ id, pathKey }) => [id, pathKey]))
  return {
    lists: { ...lists, ids: wanted.map(({ id }) => id) },
    missing: refs.filter((ref) => !known.has(ref)),
  }
}

const namedBy = (set: ListSet, refs: readonly string[]) => [
  listsAmong(set, refs),
  sql`select id from lists where ${accountOf(set)} and ${inList('path_key', refs)}`,
]

/** The number of lists by managing scope; null: no scope. */
export async function countListsByScope(db: Queries, lists: ExportedLists): Promise<Map<string | null, number>> {
  const rows = await db.all(sql`select scope, count(*) as n from lists where ${conditionsOf(lists)} group by scope`)
  return new Map(rows.map(({ scope, n }) => [toTextOrNull(scope), toNumber(n)]))
}

/** The number of lists that one scope manages. */
export async function countListsOfScope(db: Queries, lists: ExportedLists, scope: string): Promise<number> {
  const row = await db.get(sql`select count(*) as n from lists where ${conditionsOf(lists)} and ${managedBy(scope)}`)
  return toNumber(row?.n ?? 0)
}

/** Maximum lists of one batch, because their schemas may be long. */
const batchLists = 50

/**
 * The lists of a scope, or of none, in the order of their path keys, with their indexes, in batches; at most one more than a sync
 * accepts.
 * @throws Conflict when a list of a batch changes while it is read
 */
export async function* exportedLists(
  db: Queries,
  lists: ExportedLists,
  scope: string | null,
): AsyncGenerator<CurrentList> {
  const managed = sql`${conditionsOf(lists)} and ${managedBy(scope)}`
  const found = await db.all(sql`select id from lists where ${managed} order by path_key limit ${maxSyncLists + 1}`)
  const ids = found.map(({ id }) => toText(id))
  for (let start = 0; start < ids.length; start += batchLists) {
    const batch = conditionsOf({ ...lists, ids: ids.slice(start, start + batchLists) })
    const rows = await db.all(
      sql`select ${listTable.packed}, path_key from lists where ${batch} and ${managedBy(scope)} order by path_key`,
    )
    yield* await withIndexesOf(db, rows.map(listTable.fromPacked))
  }
}

function managedBy(scope: string | null): Sql {
  return scope === null ? raw('scope is null') : sql`scope = ${scope}`
}

/** Lists that were found are looked up by their ids alone: through an index of the account, all of its lists would be read. */
function conditionsOf({ ids, ...set }: ExportedLists): Sql {
  const first = ids === null ? accountOf(set) : inList('id', ids)
  return joinSql([first, listConditions(set), ...listFilterConditions(set.filters)], ' and ')
}
