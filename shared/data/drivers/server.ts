import { setTimeout as pause } from 'node:timers/promises'
import type { Knex } from 'knex'
import PQueue from 'p-queue'
import { unavailable } from '#shared/errors.ts'
import { StartError, startExitCodes } from '#shared/lifecycle/start-error.ts'
import { backOffMs } from '#shared/time/back-off.ts'
import type {
  AtomicBatch,
  Database,
  MigrationQueries,
  Pipeline,
  Queries,
  Query,
  Row,
  Transaction,
  Write,
} from '../database.ts'
import { type DatabaseListener, reportIfSlow, type StorageFailure } from '../database-listener.ts'
import type { Dialect, Sql } from '../dialect.ts'
import { renderQuery } from '../sql/render.ts'
import { sql } from '../sql/sql.ts'
import { databaseClock } from '../sql/statements.ts'
import { createStorage } from '../storage.ts'
import { Connections, type ErrorKinds, reasonOf, UnknownOutcome } from './connections.ts'
import { addressOf, type ServerOptions } from './server-options.ts'

/** The most long reads that may wait for a connection. */
const maxWaiting = 2_000
/** How long a migration retries after lock waits and deadlocks, and the pauses in between, in which queued transactions proceed. */
const migrationRetryMs = 600_000
const migrationBackOff = { firstMs: 50, longestMs: 2_000, randomPart: 0.5 }

/** The differences between kinds of servers: how a connection executes a statement, and what errors mean. */
export type Driver<C> = ErrorKinds & {
  dialect: Dialect
  execute(connection: C, text: string, bindings: readonly unknown[]): Promise<{ rows: Row[]; changed: number }>
  /** How a transaction runs independent steps: `pipelined` only where a server rejects every statement after a failed one. */
  pipeline: Pipeline
  atomicBatch?: AtomicBatchDriver
  begin(connection: C): Promise<void>
  /** Resolves only when the transaction was really committed. */
  commit(connection: C): Promise<void>
  rollback(connection: C): Promise<void>
  /** Closes the connection. */
  end(connection: C): Promise<void>
  /**
   * Statements that remove a connection's time limits and lock out other migrations until the connection ends. The wait for a table stays
   * limited, because later statements queue behind it.
   */
  migrationLock: readonly string[]
  /** Removes a connection's time limits and begins a transaction that reads one state, until the connection ends. */
  beginSnapshot(connection: C): Promise<void>
  failureOf(error: unknown): StorageFailure | null
  tookTooLong(error: unknown): boolean
}

/** Renders writes as one statement, and detects the error that means a write changed the wrong number of rows. */
type AtomicBatchDriver = { render(writes: readonly Write[]): Sql; isOtherRowCount(error: unknown): boolean }

/**
 * A database on a server. Every statement, and every transaction as a whole, has a pooled connection for itself. Work is
 * retried after a short, random pause when it met a deadlock, a serialization failure or a lost connection. When the
 * connection broke in a COMMIT the outcome is unknown, and the answer is SERVICE_UNAVAILABLE, never success.
 */
export function openServer<C extends object>(build: Knex, driver: Driver<C>, options: ServerOptions): Database {
  const { listener } = options
  const storage = createStorage({ ...driver, listener })
  const connections = new Connections<C>(build, { ...options, errors: driver, explain: storage.explain })
  const attempt: Connections<C>['attempt'] = (work) => connections.attempt(work)
  const queriesOn = (connection: C) =>
    queriesOf(driver, connection, { listener, answered: () => connections.answered(connection) })

  async function inTransaction<T>(connection: C, work: (tx: Transaction) => Promise<T>): Promise<T> {
    await driver.begin(connection)
    const queries = queriesOn(connection)
    const now = lazily(() => readClock(queries))
    let result: T
    try {
      result = await work({ ...queries, pipeline: driver.pipeline, now })
    } catch (error) {
      if (!connections.isLost(error)) await driver.rollback(connection)
      throw error
    }
    await driver.commit(connection).catch(throwUnknownOutcome)
    return result
  }

  /** If the connection broke, the statement may have been executed, so it is not retried. */
  const throwUnknownOutcome = (error: unknown) =>
    Promise.reject(connections.isLost(error) ? new UnknownOutcome(error) : error)

  const queries: Queries = {
    dialect: driver.dialect,
    all: (query, bindings) => attempt((connection) => queriesOn(connection).all(query, bindings)),
    get: (query, bindings) => attempt((connection) => queriesOn(connection).get(query, bindings)),
    run: (query, bindings) =>
      attempt((connection) => queriesOn(connection).run(query, bindings).catch(throwUnknownOutcome)),
  }
  const write = (statement: Sql) =>
    attempt((connection) => queriesOn(connection).get(statement).catch(throwUnknownOutcome))
  return {
    ...queries,
    atomicBatch: driver.atomicBatch ? atomicBatchBy(driver.atomicBatch, write) : null,
    long: limited(queries, options.pool),
    withMigrationLock: (work) =>
      withOwnConnection(connections, driver, async (connection) => {
        for (const text of driver.migrationLock) await driver.execute(connection, text, [])
        const transaction: MigrationQueries['transaction'] = (inner) =>
          retryTransient(driver, () => inTransaction(connection, inner))
        return work({ ...queriesOn(connection), build, transaction })
      }),
    withSnapshot: (work) =>
      withOwnConnection(connections, driver, (connection) =>
        driver.beginSnapshot(connection).then(() => work(queriesOn(connection))),
      ),
    build,
    storage,
    connections: () => connections.usage(),
    transaction: (work) => attempt((connection) => inTransaction(connection, work)),
    now: () => attempt((connection) => readClock(queriesOn(connection))),
    ...neededBySqlite,
    close: () => build.destroy(),
  }
}

/** Only SQLite needs these: a server checkpoints on its own, and has many writers. */
const neededBySqlite: Pick<Database, 'checkpoint' | 'othersWrote'> = { checkpoint: async () => {}, othersWrote: null }

function atomicBatchBy(
  { render, isOtherRowCount }: AtomicBatchDriver,
  write: (statement: Sql) => Promise<Row | undefined>,
): AtomicBatch {
  return async (writes) => {
    try {
      return Number((await write(render(writes)))?.changed ?? 0)
    } catch (error) {
      if (isOtherRowCount(error)) return null
      throw error
    }
  }
}

/** Retries a migration while services run: a lock may be free the next time, and migrations are not urgent. */
async function retryTransient<T>({ isTransient }: ErrorKinds, attempt: () => Promise<T>): Promise<T> {
  const giveUpAt = performance.now() + migrationRetryMs
  for (let failures = 0; ; failures++) {
    try {
      return await attempt()
    } catch (error) {
      if (!isTransient(error) || performance.now() > giveUpAt) throw error
    }
    await pause(backOffMs(migrationBackOff, failures))
  }
}

/** The connection is closed after the work, which ends its locks, transactions and settings. */
async function withOwnConnection<C extends object, T>(
  connections: Connections<C>,
  { end }: Driver<C>,
  work: (connection: C) => Promise<T>,
): Promise<T> {
  const connection = await connections.acquire()
  try {
    return await work(connection)
  } catch (error) {
    throw connections.explain(error)
  } finally {
    await end(connection)
    await connections.release(connection, true)
  }
}

/** @param to.answered called at each answer of the server */
function queriesOf<C>(
  driver: Driver<C>,
  connection: C,
  { listener, answered }: { listener: DatabaseListener; answered(): void },
): Queries {
  const { dialect } = driver
  async function execute(query: Query, bindings?: readonly unknown[]) {
    const { text, bindings: values } = renderQuery(dialect, query, bindings)
    const startedAt = performance.now()
    let rows = 0
    try {
      const result = await driver.execute(connection, text, values)
      answered()
      rows = result.rows.length || result.changed
      return result
    } finally {
      reportIfSlow(listener, { text, startedAt, rows })
    }
  }
  return {
    dialect,
    all: async <R>(query: Query, bindings?: readonly unknown[]) => (await execute(query, bindings)).rows as R[],
    get: async <R>(query: Query, bindings?: readonly unknown[]) =>
      (await execute(query, bindings)).rows[0] as R | undefined,
    run: async (query, bindings) => (await execute(query, bindings)).changed,
  }
}

/** Limits reads so that a quarter of the pool, and at least one connection, stays available for other work. */
function limited({ dialect, all, get, run }: Queries, pool: number): Queries {
  const queue = new PQueue({ concurrency: Math.max(1, pool - Math.ceil(pool / 4)) })
  const add = async <T>(read: () => Promise<T>): Promise<T> => {
    if (queue.size >= maxWaiting) throw unavailable('too many long reads are waiting')
    return queue.add(read)
  }
  return {
    dialect,
    all: (query, bindings) => add(() => all(query, bindings)),
    get: (query, bindings) => add(() => get(query, bindings)),
    run,
  }
}

/**
 * Connects to the server once and reads from it what the driver needs to know.
 * @throws Error with a sentence that names the server and what is wrong, never the password
 */
export async function checkConnection<C, T>(
  build: Knex,
  { url }: ServerOptions,
  read: (connection: C) => Promise<T>,
): Promise<T> {
  try {
    const connection = (await build.client.acquireConnection()) as C
    const result = await read(connection)
    await build.client.releaseConnection(connection)
    return result
  } catch (error) {
    await build.destroy()
    const { host, port } = addressOf(url)
    throw new StartError(startExitCodes.tryAgain, `The database at ${host}:${port} cannot be used: ${reasonOf(error)}`)
  }
}

async function readClock(queries: Queries): Promise<number> {
  return Number((await queries.get<{ now: unknown }>(sql`select ${databaseClock} as now`))?.now)
}

function lazily<T>(read: () => Promise<T>): () => Promise<T> {
  let reading: Promise<T> | undefined
  return () => {
    reading ??= read()
    return reading
  }
}
