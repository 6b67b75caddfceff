import { toNumber, toText } from '../columns.ts'
import type { Database, Queries } from '../database.ts'
import type { Step } from '../drivers/apply-writes.ts'
import { sql } from '../sql/sql.ts'
import type { ItemChange } from './item-change.ts'
import { mostBytes } from './list-counters.ts'

/**
 * Verifies that the data of each account stays within its plan, after the update of its lists: each list has its own bytes, and the
 * account's row is the lock of their sum. Only needed for accounts whose plan limits bytes and whose data grows.
 */
export function withinStorage(changes: readonly ItemChange[]): Step[] {
  const most = [...mostBytes(changes)].sort()
  return most.map(([accountId, max]) => ({
    holds: sql`select account_id from lists where account_id = ${accountId}
      group by account_id having sum(data_bytes) <= ${max}`,
    lock: { table: 'accounts', id: accountId },
  }))
}

/** The bytes of the data of all items of an account. */
export async function readStoredBytes(db: Queries, accountId: string): Promise<number> {
  const row = await db.get(sql`select sum(data_bytes) as bytes from lists where account_id = ${accountId}`)
  return toNumber(row?.bytes ?? 0)
}

/**
 * Recounts the bytes of an account's lists. The stored and the counted numbers are read from one snapshot, so that the difference may be
 * added while others write.
 * @returns the number of lists, and the total difference
 */
export async function recountStoredBytes(
  db: Database,
  accountId: string,
): Promise<{ lists: number; difference: number }> {
  let [lists, difference] = [0, 0]
  for (let after = ''; ; lists++) {
    const row = await db.long.get(
      sql`select lists.id, lists.data_bytes,
          (select sum(items.size) from items where items.list_id = lists.id) as stored_bytes
        from lists where lists.account_id = ${accountId} and lists.id > ${after} order by lists.id limit 1`,
    )
    if (!row) return { lists, difference }
    after = toText(row.id)
    const missing = toNumber(row.stored_bytes ?? 0) - toNumber(row.data_bytes)
    if (missing !== 0) await db.run(sql`update lists set data_bytes = data_bytes + ${missing} where id = ${after}`)
    difference += missing
  }
}
