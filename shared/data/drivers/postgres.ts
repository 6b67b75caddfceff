import knex from 'knex'
import pg from 'pg'
import type { Database, Row } from '../database.ts'
import { hasCode } from '../database-errors.ts'
import type { StorageFailure } from '../database-listener.ts'
import { postgresDialect } from '../sql/dialects/postgres.ts'
import { pipelined } from './pipeline.ts'
import { renderAtomicBatch } from './postgres-atomic-batch.ts'
import { checkConnection, type Driver, openServer } from './server.ts'
import { addressOf, migrationLockWaitMs, poolSettings, type ServerOptions, staysPrepared } from './server-options.ts'
import { silentLog } from './silent-log.ts'

/** The server enforces these limits too, so that nothing holds a connection or a lock forever. */
const bounds = {
  connectionTimeoutMillis: 5_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 10_000,
}

/** Postgres 13 or later. @throws Error with a sentence when the server cannot be used */
export async function openPostgres(options: ServerOptions): Promise<Database> {
  const { pool, statementMs } = options
  // A separate value, because Knex's types do not know all options of the driver.
  const connection = {
    ...bounds,
    statement_timeout: statementMs,
    ...connectionOf(options),
    application_name: 'listd',
    keepAlive: true,
    types: numbersAsNumbers,
    pipeline: true, // statements are sent without waiting for the answers to earlier ones
  }
  const build = knex({
    client: 'pg',
    connection,
    pool: { ...poolSettings, max: pool },
    acquireConnectionTimeout: bounds.connectionTimeoutMillis,
    log: silentLog,
  })
  await checkConnection(build, options, async () => {})
  return openServer(build, driver, options)
}

const withoutLimits = [
  'set statement_timeout = 0',
  'set lock_timeout = 0',
  'set idle_in_transaction_session_timeout = 0',
]

const driver: Driver<pg.Client> = {
  dialect: postgresDialect,
  execute: async (connection, text, bindings) => {
    const statement = prepared(text)
    const { rows, rowCount } = await connection.query<Row>({ ...statement, values: bindings.map(toValue) })
    return { rows, changed: rowCount ?? 0 }
  },
  pipeline: pipelined,
  atomicBatch: {
    render: (writes) => (dialect) => renderAtomicBatch(dialect, writes),
    isOtherRowCount: (error) => hasCode(error, ['22012']),
  },
  begin: async (connection) => void (await connection.query('begin isolation level read committed')),
  async commit(connection) {
    // After an error in the transaction COMMIT rolls back, and only the name of the executed command says so.
    const { command } = await connection.query('commit')
    if (command !== 'COMMIT') throw new Error('The transaction continued after one of its statements had failed.')
  },
  rollback: async (connection) => void (await connection.query('rollback')),
  end: (connection) => connection.end(),
  migrationLock: [
    ...withoutLimits,
    "select pg_advisory_lock(hashtext('listd.migrate'))",
    `set lock_timeout = ${migrationLockWaitMs}`,
  ],
  async beginSnapshot(connection) {
    for (const text of withoutLimits) await connection.query(text)
    await connection.query('begin isolation level repeatable read read only')
  },
  isTransient: (error) => hasCode(error, ['40001', '40P01', '55P03']),
  isLost,
  tookTooLong: (error) => hasCode(error, ['57014']),
  failureOf,
}

/**
 * 53100: disk full; 58030: I/O error; 25006: read-only, such as a server that is no longer the primary; 42501: the user lacks a
 * right.
 */
function failureOf(error: unknown): StorageFailure | null {
  if (hasCode(error, ['53100'])) return 'disk full'
  if (hasCode(error, ['42501'])) return 'no rights'
  return hasCode(error, ['58030', '25006']) ? 'not writable' : null
}

function connectionOf({ url, tls, ca }: ServerOptions) {
  return { ...addressOf(url), ssl: tls && { rejectUnauthorized: true, ...(ca !== undefined && { ca }) } }
}

/** The driver returns int8 and numeric as text, because they can exceed a JavaScript number; ours are below 2^53. */
const numbersAsNumbers = {
  getTypeParser(type: number, format?: string) {
    return type === pg.types.builtins.INT8 || type === pg.types.builtins.NUMERIC
      ? Number
      : pg.types.getTypeParser(type, format as 'text')
  },
}

const maxPrepared = 1_000
const statements = new Map<string, { text: string; name?: string }>()

/** A statement with `$n` marks, and the name under which each connection prepares it; without a name it is not kept. */
function prepared(text: string): { text: string; name?: string } {
  const known = statements.get(text)
  if (known) return known
  let position = 0
  const marked = { text: text.replaceAll('?', () => `$${++position}`) }
  if (statements.size >= maxPrepared) return marked
  const statement = !staysPrepared(text, position) ? marked : { ...marked, name: `s${statements.size}` }
  statements.set(text, statement)
  return statement
}

function toValue(value: unknown): unknown {
  return typeof value === 'boolean' ? Number(value) : value
}

/** 57P01 to 57P03: the server is shutting down or starting; 53300: too many connections; 25P03: idle in a transaction. */
const lostCodes = ['57P01', '57P02', '57P03', '53300', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', 'ETIMEDOUT', '25P03']

function isLost(error: unknown): boolean {
  if (hasCode(error, lostCodes)) return true
  if (!(error instanceof Error)) return false
  // Class 08: connection errors. The driver's own errors have no code.
  return (
    /^08/.test(String(Object(error).code)) ||
    /^Connection terminated|not queryable|Client was closed/.test(error.message)
  )
}
