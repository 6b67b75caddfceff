import type { Knex } from 'knex'
import type { Storage } from './drivers/storage.ts'
import type { Dialect, Sql } from './sql/dialect.ts'

export type Row = Record<string, unknown>

/**
 * What a database runs: SQL text with `?` marks that every database takes, a statement made of parts (`engine/sql.ts`),
 * or a query built from `db.build`. Its text is prepared once per connection.
 */
export type Query = string | Sql | Knex.QueryBuilder

export type Queries = {
  readonly dialect: Dialect
  /** All rows of a query. */
  all<R = Row>(query: Query, bindings?: readonly unknown[]): Promise<R[]>
  /** The first row of a query. */
  get<R = Row>(query: Query, bindings?: readonly unknown[]): Promise<R | undefined>
  /** Runs a statement and tells how many rows it changed. */
  run(query: Query, bindings?: readonly unknown[]): Promise<number>
}

/**
 * Runs steps of a transaction in this order, of which none needs another's answer, and answers what each of them did.
 * Postgres is sent all of them before it has answered the first, so that they cost one way there and back: a step sends
 * its statements in the moment in which it is called.
 */
export type Pipeline = <T extends readonly (() => Promise<unknown>)[]>(
  steps: readonly [...T],
) => Promise<{ -readonly [K in keyof T]: Awaited<ReturnType<T[K]>> }>

export type Transaction = Queries & {
  pipeline: Pipeline
  /** The database's clock in epoch milliseconds, read once per transaction: leases and due times run on it. */
  now(): Promise<number>
}

/**
 * One database, the truth of everything. Reads outside a transaction see what is committed.
 * The work of `transaction` may run twice (a busy error, a deadlock or a serialization failure rolls back and tries
 * again), so it may only touch the transaction, and waits for nothing else. On SQLite it runs alone on the process's
 * single writer; on a server others go on beside it, and what it relies on it has to lock.
 */
export type Database = Queries & {
  /** For reads that may look at many rows, such as pages, totals and exports: they never keep all connections busy. */
  long: Queries
  /** Builds SQL and never runs it: `db.all(db.build('lists').where({ id }))`. */
  build: Knex
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>
  now(): Promise<number>
  /**
   * Runs work of which only one process at a time may do any, such as migrating: on a server on one connection, without
   * bounds in time, and nothing is repeated. On SQLite its transactions are alone, and look again at what they rely on.
   */
  withMigrationLock<T>(work: (alone: MigrationQueries) => Promise<T>): Promise<T>
  /**
   * Moves what is committed to its final place, where the database leaves that to whoever writes next: background work
   * that writes much does it itself, so that nobody else waits for it. Neither readers nor writers wait meanwhile.
   */
  checkpoint(): Promise<void>
  /** What has kept something from being stored: such a write throws SERVICE_UNAVAILABLE. See `storage-fault.ts`. */
  storage: Storage
  close(): Promise<void>
}

/** The database as exclusive work sees it. */
export type MigrationQueries = Queries & Pick<Database, 'build' | 'transaction'>
