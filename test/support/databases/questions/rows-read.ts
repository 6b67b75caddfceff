import type { Database, Query, Transaction } from '#shared/data/database.ts'
import { testBackend } from '../database.ts'

/**
 * A database on a server, and how many rows and index entries the server has read for the queries sent through `db`: a
 * measure of cost that does not depend on load. SQLite has no such counter; its query plans are tested instead.
 */
export function countRowsRead(real: Database): { db: Database; rowsRead(): number } {
  let total = 0
  const transaction: Database['transaction'] = (work) =>
    real.transaction(async (tx) => {
      const before = await readTotal(tx)
      const result = await work(tx)
      total += (await readTotal(tx)) - before
      return result
    })
  const db: Database = {
    ...real,
    transaction,
    all: (query: Query, bindings?: readonly unknown[]) => transaction((tx) => tx.all(query, bindings)),
    get: (query: Query, bindings?: readonly unknown[]) => transaction((tx) => tx.get(query, bindings)),
    run: (query: Query, bindings?: readonly unknown[]) => transaction((tx) => tx.run(query, bindings)),
  }
  return { db, rowsRead: () => total }
}

/** Updates the server's statistics of tables, which it would update on its own after a while. */
export async function analyze(db: Database, ...tables: string[]): Promise<void> {
  for (const table of tables) await db.run(`analyze ${testBackend === 'mysql' ? 'table ' : ''}${table}`)
}

/** MySQL counts for the connection, Postgres for the transaction. */
async function readTotal(tx: Transaction): Promise<number> {
  if (testBackend === 'mysql') {
    const rows = await tx.all<{ Value: string }>("show session status like 'Handler_read%'")
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
  }
  const row = await tx.get<{ n: unknown }>(
    `select sum(pg_stat_get_xact_tuples_returned(oid)) as n from pg_class where relnamespace = current_schema::regnamespace`,
  )
  return Number(row?.n)
}
