import type { Knex } from 'knex'
import { openSqlite } from './sqlite.ts'

export type Row = Record<string, unknown>

/** SQL text with `?` marks (prepared once per connection), or a query built from `db.build`. */
export type Query = string | Knex.QueryBuilder

export type Queries = {
  /** All rows of a query. */
  all<R = Row>(query: Query, bindings?: readonly unknown[]): Promise<R[]>
  /** The first row of a query. */
  get<R = Row>(query: Query, bindings?: readonly unknown[]): Promise<R | undefined>
  /** Runs a statement and tells how many rows it changed. */
  run(query: Query, bindings?: readonly unknown[]): Promise<number>
}

export type Transaction = Queries & {
  /** The database's clock in epoch milliseconds, read once per transaction: leases and due times run on it. */
  now(): Promise<number>
}

/**
 * One database, the truth of everything. Reads outside a transaction see what is committed.
 * `transaction` runs its work alone on the process's single writer; the work may run twice (a busy or serialization
 * error rolls back and tries again), so it may only touch the transaction, and waits for nothing else.
 */
export type Database = Queries & {
  /** Builds SQL and never runs it: `db.all(db.build('lists').where({ id }))`. */
  build: Knex
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  now(): Promise<number>
  /**
   * Moves what is committed to its final place, where the database leaves that to whoever writes next: background work
   * that writes much does it itself, so that nobody else waits for it. Neither readers nor writers wait meanwhile.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

/**
 * Opens the database that `url` names; an empty url is SQLite in the data directory.
 * @param options.readers connections for reads beside the writer
 * @throws Error with one sentence when the url is of no kind this version knows
 */
export async function openDatabase(options: { url: string; dataDir: string; readers?: number }): Promise<Database> {
  const { url, readers = 2 } = options
  const filename = databaseFile(options)
  if (filename !== null) return openSqlite({ filename, readers })
  throw new Error(
    `database.url names a kind of database that is not supported: ${url.split(':')[0]}. Use sqlite:<file>.`,
  )
}

/** The file of a SQLite database, there or not; null for a database of another kind. */
export function databaseFile({ url, dataDir }: { url: string; dataDir: string }): string | null {
  if (url === '') return `${dataDir}/listd.db`
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
}

/** Whether an error of a statement means: another row has this unique key. */
export function isUniqueViolation(error: unknown): boolean {
  return hasCode(error, 'SQLITE_CONSTRAINT') && String((error as Error).message).includes('UNIQUE')
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
