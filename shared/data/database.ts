import type { Knex } from 'knex'
import type { Dialect, Sql } from './dialect.ts'
import type { Storage } from './storage.ts'

export type Row = Record<string, unknown>

/**
 * A query: a statement composed with `sql` (`sql/sql.ts`), a query built with `db.build`, or, in migrations and tests, SQL text
 * with `?` marks that every database accepts. Its text is prepared once per connection.
 */
export type Query = string | Sql | Knex.QueryBuilder

export type Queries = {
  readonly dialect: Dialect
  /** All rows of a query. */
  all<R = Row>(query: Query, bindings?: readonly unknown[]): Promise<R[]>
  /** The first row of a query. */
  get<R = Row>(query: Query, bindings?: readonly unknown[]): Promise<R | undefined>
  /** Runs a statement. @returns how many rows it changed */
  run(query: Query, bindings?: readonly unknown[]): Promise<number>
}

/**
 * Runs independent steps of a transaction in this order and returns their results. On Postgres all of them are sent before
 * the first is answered, so that they cost one round trip: a step must send its statements synchronously when it is called.
 */
export type Pipeline = <T extends readonly (() => Promise<unknown>)[]>(
  steps: readonly [...T],
) => Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }>

export type Transaction = Queries & {
  pipeline: Pipeline
  /** The database's clock in epoch milliseconds, read once per transaction: leases and due times run on it. */
  now(): Promise<number>
}

/** One of the statements of an `AtomicBatch`: an insert, an update or a delete. */
export type Write = {
  statement: Sql
  /** The number of rows that it must change; absent: any number. */
  rows?: number
  /** Whether `AtomicBatch` returns how many rows it changed; true for at most one write. */
  counted?: boolean
}

/**
 * Executes statements in this order as a single statement, which is its own transaction and takes one round trip. On Postgres, the
 * statements do not see each other's writes. Each sequence of texts stays prepared, so use few different ones.
 * @returns how many rows the `counted` write changed, 0 without one; null when a write would have changed another number of rows than its
 * `rows`, so that nothing was written
 */
export type AtomicBatch = (writes: readonly Write[]) => Promise<number | null>

/**
 * The database, the single source of truth. Reads outside a transaction see committed data.
 * The work of `transaction` may run more than once, because a busy error, a deadlock or a serialization failure rolls back
 * and retries. So it may touch only the transaction and wait for nothing else. On SQLite it runs alone on the process's
 * single writer; on a server other transactions run concurrently, and it must lock the rows that it relies on.
 */
export type Database = Queries & {
  /** For reads that may scan many rows, such as pages, totals and exports: they never occupy all connections. */
  long: Queries
  /** Builds SQL without running it: `db.all(db.build('lists').where({ id }))`. */
  build: Knex
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  /** Null: the database has no such statement (MySQL). */
  atomicBatch: AtomicBatch | null
  now(): Promise<number>
  /**
   * Runs work that only one process at a time may do, such as migrating. On a server it uses one connection and has no time
   * limit, and its transactions are retried. On SQLite only its transactions are exclusive, so each must recheck what it
   * relies on.
   */
  withMigrationLock<T>(work: (alone: MigrationQueries) => Promise<T>): Promise<T>
  /** Runs reads that see one state of the database, on a separate connection and without a time limit, while others write. */
  withSnapshot<T>(work: (snapshot: Queries) => Promise<T>): Promise<T>
  /**
   * Moves committed data to its final place, where the database otherwise leaves that to the next writer. Background work
   * that writes a lot calls it, so that no request waits for it. Neither readers nor writers are blocked meanwhile.
   */
  checkpoint(): Promise<void>
  /**
   * Whether another writer, in any process, has written or waited to write since the last call. Background work calls it in order to yield.
   * Null: writers do not wait for each other (a server).
   */
  othersWrote: (() => Promise<boolean>) | null
  /** The last failure that kept a write from being stored; such a write throws SERVICE_UNAVAILABLE. See `find-storage-failure.ts`. */
  storage: Storage
  /** The use of connections to a server; null: the database has no server. */
  connections: (() => { limit: number; used: number; waiting: number }) | null
  close(): Promise<void>
}

/** The database inside `withMigrationLock`. */
export type MigrationQueries = Queries & Pick<Database, 'build' | 'transaction'>
