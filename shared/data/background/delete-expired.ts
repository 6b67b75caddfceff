import { toNumber, toText } from '../columns.ts'
import type { Database } from '../database.ts'
import { raw, sql } from '../sql/sql.ts'
import { deleteListed, throughIndex } from '../sql/statements.ts'
import type { Batch } from './pacer.ts'
import { noTime, timedTransaction } from './timed-transaction.ts'

/**
 * Rows of a table that expire at the time in a column, which has an index named after it. `index`: the index of the key, if it is not the
 * primary key.
 */
export type ExpiringRows = { table: string; key: string; index?: string; expiresAt: string }

/**
 * Deletes a batch of expired rows, in order of expiry. A row whose expiry has been extended stays.
 * @param options.from the expiry of the last row of the previous batch, 0 for the first one, so that rows deleted before are not scanned
 *   again: on Postgres they stay in the index until a vacuum
 * @param options.until deletes rows that expired up to this time
 * @returns `from`: the one of the next batch
 */
export async function deleteExpired(
  db: Pick<Database, 'all' | 'transaction'>,
  { table, key: column, index, expiresAt }: ExpiringRows,
  { from, until, rows }: { from: number; until: number; rows: number },
): Promise<Batch & { from: number }> {
  const found = await db.all(sql`select ${raw(column)} as ended, ${raw(expiresAt)} as ended_at
    from ${throughIndex(table, `${table}_${expiresAt}_index`)}
    where ${raw(expiresAt)} >= ${from} and ${raw(expiresAt)} <= ${until} order by ${raw(expiresAt)} limit ${rows}`)
  if (found.length === 0) return { rows: 0, took: noTime, more: false, from }
  const values = found.map(({ ended }) => toText(ended))
  // The plus makes SQLite look up rows by key instead of reading all expired rows.
  const and = sql`${raw(`+${expiresAt}`)} <= ${until}`
  const rowsOf = deleteListed({ table, column, values, ...(index && { index }), and })
  const { result: deleted, took } = await timedTransaction(db, (tx) => tx.run(rowsOf))
  return { rows: deleted, took, more: found.length === rows, from: toNumber(found.at(-1)?.ended_at) }
}
