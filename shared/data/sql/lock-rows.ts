import type { Transaction } from '../database.ts'
import { raw, sql } from './sql.ts'
import { forUpdate, inList, locksRows } from './statements.ts'

/** Locks rows for the transaction, in the order of their ids. */
export async function lockRows(tx: Transaction, table: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 0 && locksRows(tx))
    await tx.all(sql`select id from ${raw(table)} where ${inList('id', ids)} order by id ${forUpdate}`)
}

/**
 * Locks rows that the transaction is about to update: a statement that updates several rows locks them in its own order, so
 * two such statements could deadlock.
 */
export async function lockSeveral(tx: Transaction, table: string, ids: readonly string[]): Promise<void> {
  if (ids.length > 1) await lockRows(tx, table, ids)
}
