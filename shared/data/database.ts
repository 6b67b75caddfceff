import { readFile } from 'node:fs/promises'
import type { Knex } from 'knex'
import { hasCode } from './drivers/server-options.ts'
import { openSqlite } from './drivers/sqlite/sqlite.ts'
import type { Storage } from './drivers/storage.ts'
import type { Dialect } from './sql/dialect.ts'
import type { Sql } from './sql/sql.ts'

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

export type DatabaseOptions = {
  /** Empty: SQLite in the data directory. */
  url: string
  dataDir: string
  /** Most connections to a server. */
  pool?: number
  /** Whether the connections to a server are encrypted and its certificate is checked. */
  tls?: boolean
  /** A PEM file of the certificate authorities that are believed then; empty: the public ones. */
  caFile?: string
  /** SQLite's connections for reads beside the writer. */
  readers?: number
  /** How long a statement may run, in milliseconds; whoever asked is then answered SERVICE_UNAVAILABLE. */
  statementMs?: number
}

/**
 * Opens the database that `url` names.
 * @throws Error with one sentence when the url is of no kind this version knows, or the server cannot be reached
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { url, pool = 2, readers = Math.min(pool, maxReaders), statementMs = 10_000 } = options
  const filename = databaseFile(options)
  if (filename !== null) return openSqlite({ filename, readers, statementMs })
  // The drivers are loaded only where they are needed: a process with SQLite starts sooner and stays smaller.
  const kind = url.split(':')[0]
  const server = async () => ({ url, pool, statementMs, ...(await security(options)) })
  if (kind === 'postgres' || kind === 'postgresql')
    return (await import('./drivers/postgres.ts')).openPostgres(await server())
  if (kind === 'mysql') return (await import('./drivers/mysql.ts')).openMysql(await server())
  throw new Error(
    `database.url names a kind of database that is not supported: ${kind}. Use sqlite:<file>, postgres://… or mysql://….`,
  )
}

/** A reader costs memory, and there are no more cores that it could use. */
const maxReaders = 4

async function security({ tls = false, caFile = '' }: DatabaseOptions): Promise<{ tls: boolean; ca?: string }> {
  if (!tls || caFile === '') return { tls }
  const ca = await readFile(caFile, 'utf8').catch((error) => {
    throw new Error(`database.caFile cannot be read: ${caFile} (${error.code}).`)
  })
  return { tls, ca }
}

/** The file of a SQLite database, there or not; null for a database of another kind. */
export function databaseFile({ url, dataDir }: { url: string; dataDir: string }): string | null {
  if (url === '') return `${dataDir}/listd.db`
  return url.startsWith('sqlite:') ? url.slice('sqlite:'.length) : null
}

/** Whether an error of a statement means: it names a table that is not there. */
export function isMissingTable(error: unknown): boolean {
  if (hasCode(error, ['42P01', 'ER_NO_SUCH_TABLE'])) return true
  return hasCode(error, ['SQLITE_ERROR']) && String((error as Error).message).includes('no such table')
}

/** Whether an error of a statement means: another row has this unique key. */
export function isUniqueViolation(error: unknown): boolean {
  if (hasCode(error, ['23505', 'ER_DUP_ENTRY'])) return true
  return hasCode(error, ['SQLITE_CONSTRAINT']) && String((error as Error).message).includes('UNIQUE')
}
