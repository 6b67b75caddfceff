import type { CurrentList } from '#shared/domain/sync/state.ts'
import { toNumber, toText, toTextOrNull } from '../columns.ts'
import type { Queries } from '../database.ts'
import type { Sql } from '../dialect.ts'
import { joinSql, sql } from '../sql/sql.ts'
import { inList } from '../sql/statements.ts'
import { listFilterConditions, listTable } from './columns.ts'
import { type ListSet, listConditions } from './list-page.ts'
import { withIndexesOf } from './schema-sync.ts'

/** Lists to export: of a set, and if `refs` is not null only those with these path keys or ids. */
export type ExportedLists = ListSet & { refs: readonly string[] | null }

/** How many of the lists each scope manages; null: none. */
export async function countListsByScope(db: Queries, lists: ExportedLists): Promise<Map<string | null, number>> {
  const rows = await db.all(sql`select scope, count(*) as n from lists where ${conditionsOf(lists)} group by scope`)
  return new Map(rows.map(({ scope, n }) => [toTextOrNull(scope), toNumber(n)]))
}

/** The references among these that a list of the set has. */
export async function foundReferences(db: Queries, lists: ExportedLists): Promise<Set<string>> {
  const rows = await db.all(sql`select id, path_key from lists where ${conditionsOf(lists)}`)
  return new Set(rows.flatMap(({ id, path_key }) => [toText(id), toText(path_key)]))
}

/** Lists of one batch: their schemas may be long. */
const batchLists = 50

/**
 * The lists of a scope, or of none, in the order of their path keys, with their indexes, in batches.
 * @throws Conflict when a list of a batch changes while it is read
 */
export async function* exportedLists(
  db: Queries,
  lists: ExportedLists,
  scope: string | null,
): AsyncGenerator<CurrentList> {
  const managed = scope === null ? sql`scope is null` : sql`scope = ${scope}`
  for (let after = ''; ; ) {
    const rows =
      await db.all(sql`select ${listTable.packed}, path_key from lists where ${conditionsOf(lists)} and ${managed} and path_key > ${after}
      order by path_key limit ${batchLists}`)
    yield* await withIndexesOf(db, rows.map(listTable.fromPacked))
    if (rows.length < batchLists) return
    after = toText(rows.at(-1)?.path_key)
  }
}

function conditionsOf({ refs, ...set }: ExportedLists): Sql {
  const named = refs && sql`(${inList('id', refs)} or ${inList('path_key', refs)})`
  return joinSql([listConditions(set), ...listFilterConditions(set.filters), ...(named ? [named] : [])], ' and ')
}
