import type { List } from '#shared/domain/list/list.ts'
import type { Transaction } from '../database.ts'
import { insertRows } from '../sql/insert-rows.ts'
import { sql } from '../sql/sql.ts'
import { forUpdate, inList, locksRows } from '../sql/statements.ts'
import { listColumns, listRow, settingColumns, settingRow } from './list-rows.ts'

/** @throws a unique violation when another list of the account has the path name */
export async function insertList(tx: Transaction, list: List): Promise<void> {
  await insertRows(tx, 'lists', listColumns, [listRow(list)])
}

/**
 * Keeps lists as they are for the transaction, in the order of their ids: a statement that changes several rows takes
 * them in an order of its own, and two that meet could wait for each other.
 */
export async function lockLists(tx: Transaction, ids: readonly string[]): Promise<void> {
  if (ids.length > 1 && locksRows(tx))
    await tx.all(sql`select id from lists where ${inList('id', ids)} order by id ${forUpdate}`)
}

/**
 * Writes the settings of a list under the next settings version.
 * @param list as it is to be, computed from the version it says
 * @returns false: it is of another version by now, or gone, and nothing was written
 * @throws a unique violation when another list of the account has the path name
 */
export async function updateList(tx: Transaction, list: List): Promise<boolean> {
  const [id, ...values] = settingRow(list)
  const changed = await tx.run(updateText, [...values, id, list.accountId, list.configVersion])
  return changed === 1
}

const updateText = `update lists set config_version = config_version + 1,
  ${settingColumns
    .slice(1)
    .map((name) => `"${name}" = ?`)
    .join(', ')}
  where id = ? and account_id = ? and config_version = ?`

/**
 * Removes a list, and with it its path name, and notes that what it held is to be purged.
 * @param now the database's clock
 * @returns false: it is of another settings version by now, or gone, or protected and holds items, and nothing was written
 */
export async function removeList(tx: Transaction, list: List, now: number): Promise<boolean> {
  const removed = await tx.run(
    `delete from lists where id = ? and account_id = ? and config_version = ? and (protected = 0 or item_count = 0)`,
    [list.id, list.accountId, list.configVersion],
  )
  if (removed === 0) return false
  await tx.run('insert into list_purges (list_id, deleted_at) values (?, ?)', [list.id, now])
  return true
}
