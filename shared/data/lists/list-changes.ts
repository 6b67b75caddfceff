import type { List } from '#shared/domain/list/fields.ts'
import { Conflict } from '../conflict.ts'
import type { Transaction } from '../database.ts'
import { insertRows, rowMapper } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { deleteInList, inList } from '../sql/statements.ts'
import { assignments } from '../sql/table.ts'
import { listTable, updatedListColumns } from './columns.ts'
import { indexTags, removeTags } from './list-tags.ts'
import { endTerms } from './list-terms.ts'

/** @throws a unique violation when another list of the account has the path name */
export async function insertList(tx: Transaction, list: List): Promise<void> {
  await insertRows(tx, listTable.rows([list]))
  await indexTags(tx, list)
}

/**
 * Writes the settings of a list under the next settings version.
 * @param list the new state, with the settings version that it was computed from
 * @throws Conflict when the list has another version by now or is gone; a unique violation when another list of the account
 *   has the path name
 */
export async function updateList(tx: Transaction, list: List): Promise<void> {
  const changed =
    await tx.run(sql`update lists set config_version = config_version + 1, ${assignments(updatedListColumns, list)}
    where id = ${list.id} and account_id = ${list.accountId} and config_version = ${list.configVersion}`)
  if (changed === 0) throw new Conflict('list')
  await indexTags(tx, list)
}

/**
 * Removes a list, which frees its path name, ends the builds of its indexes and schedules the purge of its items.
 * @param now the database's clock
 * @throws Conflict when the list has another settings version by now, is gone, or is protected and has items
 */
export async function removeList(tx: Transaction, list: List, now: number): Promise<void> {
  const removed = await tx.run(
    sql`delete from lists where id = ${list.id} and account_id = ${list.accountId}
      and config_version = ${list.configVersion} and (protected = 0 or item_count = 0)`,
  )
  if (removed === 0) throw new Conflict('list')
  await removeParts(tx, [list], now)
}

/**
 * Removes lists whose rows the transaction has locked, as `removeList` does.
 * @param now the database's clock
 */
export async function removeLists(tx: Transaction, lists: readonly RemovedList[], now: number): Promise<void> {
  const ids = lists.map(({ id }) => id)
  await tx.run(deleteInList('lists', 'id', ids))
  await removeParts(tx, lists, now)
}

export type RemovedList = Pick<List, 'id' | 'termsId'>

/** Removes the tags of deleted lists, ends the builds of their indexes and words, and has their items and words purged. */
async function removeParts(tx: Transaction, lists: readonly RemovedList[], now: number): Promise<void> {
  const listIds = lists.map(({ id }) => id)
  await removeTags(tx, listIds)
  await endTerms(
    tx,
    lists.map(({ termsId }) => termsId),
  )
  await tx.run(sql`delete from index_builds where ${inList('list_id', listIds)}`)
  await insertRows(tx, purgeRows(listIds.map((listId) => ({ listId, now }))))
}

const purgeRows = rowMapper<{ listId: string; now: number }>('list_purges', {
  list_id: ({ listId }) => listId,
  deleted_at: ({ now }) => now,
})
