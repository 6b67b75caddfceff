import knex from 'knex'
import mysql2, { type Connection, type ResultSetHeader, type RowDataPacket } from 'mysql2'
import type { Database, Row } from '../database.ts'
import { mysqlDialect } from '../sql/dialects/mysql.ts'
import { hasCode } from './database-errors.ts'
import { sequential } from './pipeline.ts'
import { checkConnection, type Driver, openServer } from './server.ts'
import { addressOf, type ServerOptions, silent, staysPrepared } from './server-options.ts'
import type { StorageFault } from './storage.ts'

const connectTimeoutMs = 5_000
/** Per connection; the server has 16,382 for all of them. */
const maxPrepared = 500

/** MySQL 8.0.21 or later, and MariaDB 10.6 or later. @throws Error with a sentence when the server cannot be used */
export async function openMysql(options: ServerOptions): Promise<Database> {
  const settings: string[] = []
  const build = knex({
    client: 'mysql2',
    connection: connectionOf(options),
    pool: { min: 0, max: options.pool, afterCreate: applySettings.bind(null, settings) },
    acquireConnectionTimeout: connectTimeoutMs,
    log: silent,
  })
  const { version } = await checkConnection(build, options, async (connection: Connection) => {
    const { rows } = await execute(connection, 'select version() as version', [])
    connection.destroy() // it has none of the settings that later ones have
    return { version: String(rows[0]?.version) }
  })
  // The two servers call the collation that compares bytes and does not pad by different names.
  const collation = version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  settings.push(...sessionSettings(collation), timeBound(version, options.statementMs))
  const driver: Driver<Connection> = {
    dialect: mysqlDialect(collation),
    execute,
    pipeline: sequential, // a deadlock ends the transaction, and what was sent ahead would be on its own
    begin: (connection) => command(connection, 'start transaction'),
    commit: (connection) => command(connection, 'commit'),
    rollback: (connection) => command(connection, 'rollback'),
    end: async (connection) => connection.destroy(),
    migrationLock: [
      'set session lock_wait_timeout = 86400',
      timeBound(version, 0),
      "select get_lock(sha2(concat('listd.migrate.', database()), 256), 86400)",
    ],
    clock: "select timestampdiff(microsecond, '1970-01-01', utc_timestamp(3)) div 1000 as now",
    isTransient: (error) => hasCode(error, ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']),
    isLost: (error) => hasCode(error, lostCodes),
    tookTooLong: (error) => [1969, 3024].includes(Object(error).errno),
    faultOf,
  }
  return openServer(build, driver, options)
}

/** How long a statement may run, 0 without a bound: MySQL bounds reads only, and by another name than MariaDB. */
function timeBound(version: string, ms: number): string {
  return version.includes('MariaDB')
    ? `set session max_statement_time = ${ms / 1_000}`
    : `set session max_execution_time = ${ms}`
}

/** Of a server that only reads, as one does that is not the primary any more, the last two. */
function faultOf(error: unknown): StorageFault | null {
  if (hasCode(error, ['ER_DISK_FULL', 'ER_RECORD_FILE_FULL'])) return 'disk full'
  const notWritable = ['ER_ERROR_ON_WRITE', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE']
  return hasCode(error, notWritable) ? 'not writable' : null
}

const lostCodes = [
  ...['PROTOCOL_CONNECTION_LOST', 'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR', 'PROTOCOL_ENQUEUE_AFTER_QUIT'],
  ...['ER_SERVER_SHUTDOWN', 'ER_CONNECTION_KILLED', 'ER_CON_COUNT_ERROR', 'EPIPE', 'ECONNRESET', 'ECONNREFUSED'],
  'ETIMEDOUT',
]

function connectionOf({ url, tls, ca }: ServerOptions) {
  return {
    ...addressOf(url),
    ...{ charset: 'utf8mb4', supportBigNumbers: true, decimalNumbers: true, maxPreparedStatements: maxPrepared },
    ...{ connectTimeout: connectTimeoutMs, enableKeepAlive: true },
    // Without `verifyIdentity` any server with a certificate would do.
    ...(tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(ca !== undefined && { ca }) } }),
  }
}

/** ANSI quotes and `||`, errors instead of cut values, and a look at the latest commit in every statement. */
function sessionSettings(collation: string): string[] {
  const modes = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_BACKSLASH_ESCAPES'
  return [
    `set names utf8mb4 collate ${collation}, session sql_mode = '${modes}', session innodb_lock_wait_timeout = 5`,
    // A process that stands still in a transaction loses its locks; the pool closes idle connections before.
    'set session wait_timeout = 60',
    'set session transaction isolation level read committed',
  ]
}

type Created = (error: unknown, connection: Connection) => void

function applySettings(settings: readonly string[], connection: Connection, done: Created): void {
  const applied = settings.reduce((before, text) => before.then(() => command(connection, text)), Promise.resolve())
  applied.then(
    () => done(null, connection),
    (error) => done(error, connection),
  )
}

type Executed = { rows: Row[]; changed: number }

/**
 * MariaDB 10 now and then forgets, when it executes a prepared statement again, that a column in a subquery is one of a
 * derived table outside of it, and says that there is none. Prepared anew, the same statement runs.
 */
async function execute(connection: Connection, text: string, bindings: readonly unknown[]): Promise<Executed> {
  const values = bindings.map(toParameter)
  try {
    return await executeOnce(connection, text, values)
  } catch (error) {
    if (!hasCode(error, ['ER_BAD_FIELD_ERROR'])) throw error
    connection.unprepare(text)
    return executeOnce(connection, text, values)
  }
}

function executeOnce(connection: Connection, text: string, values: unknown[]): Promise<Executed> {
  return new Promise((resolve, reject) => {
    connection.execute<RowDataPacket[] | ResultSetHeader>(text, values as never, (error, result) => {
      if (!staysPrepared(text, values.length)) connection.unprepare(text)
      if (error) return reject(error)
      resolve(Array.isArray(result) ? { rows: result, changed: 0 } : { rows: [], changed: result.affectedRows })
    })
  })
}

// The driver's export looks its module up whenever it is read.
const { LONGLONG } = mysql2.TypedParameter

/** The driver would send whole numbers as floating ones, which `limit` refuses. */
function toParameter(value: unknown): unknown {
  return Number.isSafeInteger(value) ? LONGLONG(value as number) : value
}

function command(connection: Connection, text: string): Promise<void> {
  return new Promise((resolve, reject) => connection.query(text, (error) => (error ? reject(error) : resolve())))
}
