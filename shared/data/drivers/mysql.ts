import knex from 'knex'
import mysql2, { type Connection, type ResultSetHeader, type RowDataPacket } from 'mysql2'
import type { Database, Row } from '../database.ts'
import { hasCode } from '../database-errors.ts'
import type { StorageFailure } from '../database-listener.ts'
import { mysqlDialect } from '../sql/dialects/mysql.ts'
import { sequential } from './pipeline.ts'
import { checkConnection, type Driver, openServer } from './server.ts'
import { addressOf, migrationLockWaitMs, poolSettings, type ServerOptions, staysPrepared } from './server-options.ts'
import { silentLog } from './silent-log.ts'

const connectTimeoutMs = 5_000
/** Per connection; the server allows 16,382 for all connections together. */
const maxPrepared = 500

/** MySQL 8.0.21 or later, and MariaDB 10.6 or later. @throws Error with a sentence when the server cannot be used */
export async function openMysql(options: ServerOptions): Promise<Database> {
  const settings: string[] = []
  const build = knex({
    client: 'mysql2',
    connection: connectionOf(options),
    pool: { ...poolSettings, max: options.pool, afterCreate: applySettings.bind(null, settings) },
    acquireConnectionTimeout: connectTimeoutMs,
    log: silentLog,
  })
  const { version } = await checkConnection(build, options, async (connection: Connection) => {
    const { rows } = await execute(connection, 'select version() as version', [])
    connection.destroy() // it lacks the settings that later connections get
    return { version: String(rows[0]?.version) }
  })
  // The two servers call the collation that compares bytes and does not pad by different names.
  const collation = version.includes('MariaDB') ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin'
  settings.push(...sessionSettings(collation), timeBound(version, options.statementMs))
  const driver: Driver<Connection> = {
    dialect: mysqlDialect(collation),
    execute,
    pipeline: sequential, // a deadlock ends the transaction, and statements sent ahead would run outside of it
    begin: (connection) => command(connection, 'start transaction'),
    commit: (connection) => command(connection, 'commit'),
    rollback: (connection) => command(connection, 'rollback'),
    end: async (connection) => connection.destroy(),
    migrationLock: [
      `set session lock_wait_timeout = ${migrationLockWaitMs / 1_000}`,
      timeBound(version, 0),
      "select get_lock(sha2(concat('listd.migrate.', database()), 256), 86400)",
    ],
    async beginSnapshot(connection) {
      await command(connection, timeBound(version, 0))
      await command(connection, 'set session wait_timeout = 86400')
      await command(connection, 'set session transaction isolation level repeatable read')
      await command(connection, 'start transaction with consistent snapshot, read only')
    },
    isTransient: (error) => hasCode(error, ['ER_LOCK_DEADLOCK', 'ER_LOCK_WAIT_TIMEOUT', 'ER_CHECKREAD']),
    isLost: (error) => hasCode(error, lostCodes),
    tookTooLong: (error) => [1969, 3024].includes(Object(error).errno),
    failureOf,
  }
  return openServer(build, driver, options)
}

/** Limits how long a statement may run; 0: no limit. MySQL limits reads only, and the setting has another name than MariaDB's. */
function timeBound(version: string, ms: number): string {
  return version.includes('MariaDB')
    ? `set session max_statement_time = ${ms / 1_000}`
    : `set session max_execution_time = ${ms}`
}

const deniedCodes = [
  'ER_TABLEACCESS_DENIED_ERROR',
  'ER_COLUMNACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_SPECIFIC_ACCESS_DENIED_ERROR',
]

/** The last two codes come from a read-only server, such as one that is no longer the primary. */
function failureOf(error: unknown): StorageFailure | null {
  if (hasCode(error, ['ER_DISK_FULL', 'ER_RECORD_FILE_FULL'])) return 'disk full'
  if (hasCode(error, deniedCodes)) return 'no rights'
  const notWritable = ['ER_ERROR_ON_WRITE', 'ER_OPTION_PREVENTS_STATEMENT', 'ER_READ_ONLY_MODE']
  return hasCode(error, notWritable) ? 'not writable' : null
}

const lostCodes = [
  'PROTOCOL_CONNECTION_LOST',
  'PROTOCOL_ENQUEUE_AFTER_FATAL_ERROR',
  'PROTOCOL_ENQUEUE_AFTER_QUIT',
  'ER_SERVER_SHUTDOWN',
  'ER_CONNECTION_KILLED',
  'ER_CON_COUNT_ERROR',
  'EPIPE',
  'ECONNRESET',
  'ECONNREFUSED',
  'ETIMEDOUT',
]

function connectionOf({ url, tls, ca }: ServerOptions) {
  return {
    ...addressOf(url),
    charset: 'utf8mb4',
    supportBigNumbers: true,
    decimalNumbers: true,
    maxPreparedStatements: maxPrepared,
    connectTimeout: connectTimeoutMs,
    enableKeepAlive: true,
    // Without `verifyIdentity` a certificate for any host name would be accepted.
    ...(tls && { ssl: { rejectUnauthorized: true, verifyIdentity: true, ...(ca !== undefined && { ca }) } }),
  }
}

/** ANSI quotes and `||`, errors instead of truncated values, and a fresh snapshot for every statement. */
function sessionSettings(collation: string): string[] {
  const modes = 'ANSI_QUOTES,PIPES_AS_CONCAT,STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION,NO_BACKSLASH_ESCAPES'
  return [
    `set names utf8mb4 collate ${collation}, session sql_mode = '${modes}', session innodb_lock_wait_timeout = 5`,
    // A process that hangs in a transaction loses its locks; the pool closes idle connections sooner than that.
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
 * When MariaDB 10 executes a prepared statement again, it sometimes no longer resolves a column in a subquery that belongs
 * to a derived table outside of it, and reports an unknown column. Prepared again, the same statement runs.
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

// Read once: the driver's export resolves its module on every access.
const { LONGLONG } = mysql2.TypedParameter

/** The driver would send whole numbers as floating-point numbers, which `limit` rejects. */
function toParameter(value: unknown): unknown {
  return Number.isSafeInteger(value) ? LONGLONG(value as number) : value
}

function command(connection: Connection, text: string): Promise<void> {
  return new Promise((resolve, reject) => connection.query(text, (error) => (error ? reject(error) : resolve())))
}
